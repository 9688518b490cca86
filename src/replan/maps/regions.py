"""Connected parts of a grid."""

from __future__ import annotations

import numpy as np

from replan.maps.terrain import BoolGrid


def largest_region(free: BoolGrid) -> BoolGrid:
    """The largest part of the free (True) cells that steps up, down, left and right connect; the first of equals."""
    rows, cols = free.shape
    stride = cols + 1  # one column of blocked cells at the right end guards both sides
    padded = np.zeros((rows + 2, stride), dtype=np.uint8)
    padded[1:-1, :cols] = free
    left = bytearray(padded.tobytes())
    largest: list[int] = []
    seed = left.find(1)
    while seed >= 0:
        region = _flood(left, seed, stride)
        if len(region) > len(largest):
            largest = region
        seed = left.find(1, seed)
    kept = np.zeros(padded.size, dtype=bool)
    kept[largest] = True
    return kept.reshape(padded.shape)[1:-1, :cols]


def _flood(left: bytearray, seed: int, stride: int) -> list[int]:
    """The cells connected to `seed`, taken out of `left`."""
    left[seed] = 0
    region = [seed]
    for here in region:  # grows while it is walked
        for there in (here - stride, here - 1, here + 1, here + stride):
            if left[there]:
                left[there] = 0
                region.append(there)
    return region

"""Coordinate frame of a map: from cells to metres and back."""

from __future__ import annotations

import math
from dataclasses import dataclass

from replan.errors import InputError


@dataclass(frozen=True)
class CoordinateFrame:
    """Position of a map in the world, as ROS describes it.

    Parameters
    ----------
    resolution
        Side of a cell in metres, above 0.
    origin
        (x, y, yaw): the lower left corner of the lower left cell in metres, and the rotation of the map around that
        corner in radians, counterclockwise.

    Raises
    ------
    InputError
        If a number is not finite, or the resolution is not positive.

    Notes
    -----
    x increases along a row, from its first to its last column. y increases upwards, from the last row to row 0 at the
    top. The number of the last row depends on the map, so the methods take its shape.

    Examples
    --------
    >>> CoordinateFrame(0.5, (10.0, 20.0, 0.0)).position_of((3, 0), shape=(4, 6))
    (10.25, 20.25)
    """

    resolution: float
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.resolution) and self.resolution > 0):
            raise InputError(f"resolution must be above 0 metres a cell, found {self.resolution}")
        if len(self.origin) != 3 or not all(map(math.isfinite, self.origin)):
            raise InputError(f"origin must be three numbers, x, y (metres) and yaw (radians), found {self.origin}")

    def position_of(self, cell: tuple[int, int], shape: tuple[int, int]) -> tuple[float, float]:
        """Position of the centre of a cell.

        Parameters
        ----------
        cell
            Cell (row, col).
        shape
            Rows and columns of the map.

        Returns
        -------
        tuple of float
            (x, y) in metres.
        """
        left, bottom, yaw = self.origin
        along, up = (cell[1] + 0.5) * self.resolution, (shape[0] - cell[0] - 0.5) * self.resolution
        return left + along * math.cos(yaw) - up * math.sin(yaw), bottom + along * math.sin(yaw) + up * math.cos(yaw)

    def cell_at(self, x: float, y: float, shape: tuple[int, int]) -> tuple[int, int]:
        """Cell that contains a point.

        Parameters
        ----------
        x
            Position in metres.
        y
            Position in metres.
        shape
            Rows and columns of the map.

        Returns
        -------
        tuple of int
            Cell (row, col).

        Raises
        ------
        InputError
            If the point is outside the map.

        Examples
        --------
        >>> CoordinateFrame(0.5, (10.0, 20.0, 0.0)).cell_at(10.3, 20.1, shape=(4, 6))
        (3, 0)
        """
        left, bottom, yaw = self.origin
        along = (x - left) * math.cos(yaw) + (y - bottom) * math.sin(yaw)
        up = (y - bottom) * math.cos(yaw) - (x - left) * math.sin(yaw)
        rows, cols = shape
        # Compared before rounding, so that NaN and infinity are refused too.
        if not (0 <= along / self.resolution < cols and 0 <= up / self.resolution < rows):
            width, height = cols * self.resolution, rows * self.resolution
            raise InputError(
                f"the point x {x}, y {y} (metres) is outside the map, which is {width:g} m wide and {height:g} m high "
                f"and has its lower-left corner at x {left:g}, y {bottom:g}"
                + (f", turned by {yaw:g} rad" if yaw else "")
            )
        return rows - 1 - int(up / self.resolution), int(along / self.resolution)

    def extent(self, shape: tuple[int, int]) -> tuple[float, float, float, float]:
        """Edges of the map.

        Parameters
        ----------
        shape
            Rows and columns of the map.

        Returns
        -------
        tuple of float
            (left, right, bottom, top) in metres.

        Raises
        ------
        InputError
            If the map is rotated.

        Examples
        --------
        >>> CoordinateFrame(0.5, (10.0, 20.0, 0.0)).extent(shape=(4, 6))
        (10.0, 13.0, 20.0, 22.0)
        """
        left, bottom, yaw = self.origin
        if yaw:
            raise InputError(f"the map is turned by {yaw:g} rad, so its edges do not run along x and y")
        return left, left + shape[1] * self.resolution, bottom, bottom + shape[0] * self.resolution

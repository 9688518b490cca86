# The C types of the core. Costs are 64 bits wide: 4096 x 4096 cells times 577 ticks do not fit 32.
from libc.stdint cimport int32_t as i32, int64_t as i64, uint8_t as u8, uint16_t as u16, uint64_t as u64

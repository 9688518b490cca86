"""RTD* 2010 (Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, SoCS 2010)."""

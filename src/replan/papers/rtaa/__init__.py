"""RTAA* 2006 (Koenig, Likhachev: Real-Time Adaptive A*, AAMAS 2006)."""

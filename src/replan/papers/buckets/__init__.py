"""Buckets 2006 (Likhachev, Koenig: Incremental Heuristic Search in Games: The Quest for Speed, AIIDE 2006)."""

"""Depression avoidance 2011 (Hernández, Baier: Real-Time Adaptive A* with Depression Avoidance, AIIDE 2011)."""

"""The course project (Koenig, Yeoh: A Project on Fast Trajectory Replanning for Computer Games)."""

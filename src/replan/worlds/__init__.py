"""Worlds: the true terrain, its changes, moving targets and sensors.

The package has the truth (`world`), changes (`changes`, `doors`, `dynamic_scenario`), moving goals (`targets`), what
agents sense (`sensors`, `observers`), and starts and goals of trips (`problems`). Nothing here plans. It may import
`spaces` and `maps`.
"""

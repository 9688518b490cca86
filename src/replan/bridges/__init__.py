"""To and from the packages that stand beside Replan: ROS 2, tcod, Gymnasium.

Each module turns the other package's own data into ours and back, and imports that package only when it has to. (A
networkx graph goes in and out by `Graph.from_networkx` and `Graph.to_networkx`.) Nothing here plans. It may import
every room before it but the papers and the course; those never import it.
"""

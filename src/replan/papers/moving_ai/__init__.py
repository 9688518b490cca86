"""The published scenarios of the Moving AI maps, with known and with unknown terrain: what `replan benchmark` runs.

May import the framework; of the other papers nothing.
"""

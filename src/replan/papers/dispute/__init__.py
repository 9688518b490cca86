"""MPGAA* against D* Lite: its authors find it faster, the authors of D* Extra Lite find the opposite.

May import the framework; of the other papers nothing.
"""

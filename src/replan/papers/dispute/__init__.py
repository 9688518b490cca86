"""Is MPGAA* faster than D* Lite? Its authors say so, those of D* Extra Lite found the opposite.

May import the framework; of the other papers nothing.
"""

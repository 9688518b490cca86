"""All real-time planners side by side: what a trip costs if an agent may think for so long in each step.

Needs the extra `experiments`. May import the framework; of the other papers nothing.
"""

"""Worlds: the truth, how it changes, and what an agent gets to see of it.

What belongs here is the truth (`world`), what happens to it (`changes`, `doors`, `recording`), what moves in it
(`targets`), what is seen of it (`sensors`; at work: `eyes`) and problems drawn from it. Nothing here plans. It may
import `spaces` and `maps`.
"""

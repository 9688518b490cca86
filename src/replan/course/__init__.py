"""The fast-replanning project as a course: what checks a student's program, and says kindly what is wrong with it.

What belongs here runs programs of students, in processes of their own, and judges their searches by the rules of A*
alone: cell by cell, from what they say they expanded. The texts that are handed out are in `docs/course`. It
imports no other room.
"""

"""What answers say to people and agents: each view is worded here once, and laid out by no face.

A view takes an answer of REST and gives a page: sections of sentences, facts, tables and charts. Faces
lay them out and word nothing. What agents are told is the short form of the same view.
"""

from typing import TYPE_CHECKING

from finplan.lazy import modules_of

if TYPE_CHECKING:
    from finplan.views import (
        access as access,
        accounts as accounts,
        ahead as ahead,
        answering as answering,
        banks as banks,
        categories as categories,
        detection as detection,
        explain as explain,
        import_questions as import_questions,
        imports as imports,
        installation as installation,
        live as live,
        live_text as live_text,
        locale as locale,
        page as page,
        plan as plan,
        plan_text as plan_text,
        planned as planned,
        settings as settings,
        spending as spending,
        tasks as tasks,
        transactions as transactions,
        unknowns as unknowns,
        webhooks as webhooks,
        what_if as what_if,
    )

__getattr__ = modules_of(__name__)

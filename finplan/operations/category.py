"""The rows of categories, and of the rules that file payees under them."""

from finplan.model import category as categories
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, NotFound
from finplan.operation import AnyOperation, Creates, Derived, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

CATEGORIES = Family("Categories", "Categories, and the rules that put payees in them.")

LIST_CATEGORIES = Operation(CATEGORIES, "list_categories", "GET", "/categories",
    Nothing, tuple[categories.CategoryChoice, ...], "read",
    "List the categories that a payee can be in: built-in categories and your own.", Derived())
CREATE_CATEGORY = Operation(CATEGORIES, "create_category", "POST", "/categories",
    categories.NewCategory, categories.CreatedCategory, "write",
    "Add a category, and put payees in it.", Creates(),
    faults=(Conflict,),
    links=Links(
        "/category/category", to=("change_category", "remove_category"), parameter="category"))
CHANGE_CATEGORY = Operation(CATEGORIES, "change_category", "PATCH", "/categories/{category}",
    categories.CategoryChange, categories.CategoryChoice, "write",
    "Rename one of your categories, or make it essential, discretionary or not spending.",
    faults=(NotFound, Conflict))
REMOVE_CATEGORY = Operation(CATEGORIES, "remove_category", "DELETE", "/categories/{category}",
    categories.CategoryRemoval, categories.RemovedCategory, "write",
    "Remove one of your categories; its transactions are kept, and move to `mergeInto` if you give it.",
    faults=(NotFound, Conflict))
LIST_SUGGESTIONS = Operation(CATEGORIES, "list_suggestions", "GET", "/categories/suggestions",
    Nothing, tuple[categories.CategorySuggestion, ...], "read",
    "List suggested new categories, based on your transactions.", Derived())
JUDGE_SUGGESTION = Operation(CATEGORIES, "judge_suggestion", "PUT", "/categories/suggestions",
    categories.SuggestionVerdict, tuple[categories.CategorySuggestion, ...], "write",
    "Dismiss a suggested category, or undo the dismissal.",
    faults=(NotFound,))
LIST_RULES = Operation(CATEGORIES, "list_rules", "GET", "/categories/rules",
    Nothing, tuple[categories.CategoryRule, ...], "read",
    "List the rules in use; yours come first, then inferred rules, then built-in ones.", Derived())
SET_RULE = Operation(CATEGORIES, "set_rule", "PUT", "/categories/rules",
    categories.RuleRequest, categories.CategoryRule, "write",
    "Put a payee, or only its transactions of one exact amount, in a category.",
    faults=(NotFound,), links=Links("/id", to=("remove_rule",)))
SET_RULES = Operation(CATEGORIES, "set_rules", "PUT", "/categories/rules/batch",
    categories.RuleBatch, categories.RuleBatchResult, "write",
    "Set up to 100 rules at once; an error in one does not stop the others.")
REMOVE_RULE = Operation(CATEGORIES, "remove_rule", "DELETE", "/categories/rules/{id}",
    categories.RuleId, categories.CategoryRule, "write",
    "Remove one of your rules.",
    faults=(NotFound, Conflict))

ROWS: tuple[AnyOperation, ...] = (
    LIST_CATEGORIES, CREATE_CATEGORY, CHANGE_CATEGORY, REMOVE_CATEGORY, LIST_SUGGESTIONS,
    JUDGE_SUGGESTION, LIST_RULES, SET_RULE, SET_RULES, REMOVE_RULE,
)
# fmt: on

"""The rows of categories, and of the rules that file payees under them."""

from finplan.model import category as categories
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, NotFound
from finplan.operation import AnyOperation, Creates, Derived, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

CATEGORIES = Family("Categories", "Categories, and the rules that file payees under them.")

LIST_CATEGORIES = Operation(CATEGORIES, "list_categories", "GET", "/categories",
    Nothing, tuple[categories.CategoryChoice, ...], "read",
    "The categories that a payee can be filed under.", Derived())
CREATE_CATEGORY = Operation(CATEGORIES, "create_category", "POST", "/categories",
    categories.NewCategory, categories.CreatedCategory, "write",
    "Make a category of your own, and file payees under it.", Creates(),
    faults=(Conflict,),
    links=Links(
        "/category/category", to=("change_category", "remove_category"), parameter="category"))
CHANGE_CATEGORY = Operation(CATEGORIES, "change_category", "PATCH", "/categories/{category}",
    categories.CategoryChange, categories.CategoryChoice, "write",
    "Rename a category of yours, or put it on another line.",
    faults=(NotFound, Conflict))
REMOVE_CATEGORY = Operation(CATEGORIES, "remove_category", "DELETE", "/categories/{category}",
    categories.CategoryRemoval, categories.RemovedCategory, "write",
    "Remove a category of yours; its charges are kept, and with `mergeInto` go to another one.",
    faults=(NotFound, Conflict))
LIST_SUGGESTIONS = Operation(CATEGORIES, "list_suggestions", "GET", "/categories/suggestions",
    Nothing, tuple[categories.CategorySuggestion, ...], "read",
    "Themes in your charges that might deserve a category of their own.", Derived())
JUDGE_SUGGESTION = Operation(CATEGORIES, "judge_suggestion", "PUT", "/categories/suggestions",
    categories.SuggestionVerdict, tuple[categories.CategorySuggestion, ...], "write",
    "Keep a suggestion away, or let it come again.",
    faults=(NotFound,))
LIST_RULES = Operation(CATEGORIES, "list_rules", "GET", "/categories/rules",
    Nothing, tuple[categories.CategoryRule, ...], "read",
    "The rules in force; yours first, then inferred, then curated ones.", Derived())
SET_RULE = Operation(CATEGORIES, "set_rule", "PUT", "/categories/rules",
    categories.RuleRequest, categories.CategoryRule, "write",
    "File a payee, or only its charges of one exact amount, under a category.",
    faults=(NotFound,), links=Links("/id", to=("remove_rule",)))
SET_RULES = Operation(CATEGORIES, "set_rules", "PUT", "/categories/rules/batch",
    categories.RuleBatch, categories.RuleBatchResult, "write",
    "File up to a hundred payees at once; what is wrong with one stops no other.")
REMOVE_RULE = Operation(CATEGORIES, "remove_rule", "DELETE", "/categories/rules/{id}",
    categories.RuleId, categories.CategoryRule, "write",
    "Remove a rule of yours.",
    faults=(NotFound, Conflict))

ROWS: tuple[AnyOperation, ...] = (
    LIST_CATEGORIES, CREATE_CATEGORY, CHANGE_CATEGORY, REMOVE_CATEGORY, LIST_SUGGESTIONS,
    JUDGE_SUGGESTION, LIST_RULES, SET_RULE, SET_RULES, REMOVE_RULE,
)
# fmt: on

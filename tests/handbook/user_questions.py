"""Questions as people word them, each with the page of the handbook that answers it."""

SEEN = (
    ("how do I invite my wife", "access"),
    ("I forgot my password", "access"),
    ("make an API key for a script", "access"),
    ("someone tried to log in, where can I see that", "access"),
    ("connect Claude Desktop", "agents"),
    ("which tools does the MCP server offer", "agents"),
    ("can the agent change my data or only read", "agents"),
    ("how much can I safely spend today", "allowance"),
    ("why is my allowance negative", "allowance"),
    ("retired and living on savings", "allowance"),
    ("open my plan in the browser", "browser"),
    ("upload a bank statement in the web page", "browser"),
    ("start finplan automatically when I log in", "daemon"),
    ("my disk is full", "daemon"),
    ("port is already in use", "daemon"),
    ("will my cash last until the end of next month", "forecast"),
    ("sign in with Google", "google"),
    ("move everything to a new laptop", "moving"),
    ("export to hledger or beancount", "moving"),
    ("which words for dates does it know, like last month", "periods"),
    ("how is the emergency fund calculated", "plan"),
    ("which credit card should I pay off first", "plan"),
    ("OAuth for my own app", "programs"),
    ("rate limit for API requests", "programs"),
    ("nginx configuration", "proxy"),
    ("move a payee to another category", "questions"),
    ("split one purchase into two categories", "questions"),
    ("when are backups made", "schedule"),
    ("my CSV has day and month swapped", "statements"),
    ("verify the signature of a webhook", "webhooks"),
)
"""Those that the search may be tuned by."""

UNSEEN = (
    ("how do I change my password", "access"),
    ("two people on the same computer with separate finances", "access"),
    ("log out a lost phone", "access"),
    ("let a cursor agent ask about my spending", "agents"),
    ("can a payee name trick the AI with prompt injection", "agents"),
    ("remove finplan from VS Code again", "agents"),
    ("what does safe to spend mean", "allowance"),
    ("how are bills counted until payday", "allowance"),
    ("spending money left when I have no balance", "allowance"),
    ("sign in from my phone with a browser", "browser"),
    ("do the pages use JavaScript or cookies", "browser"),
    ("daemon does not start", "daemon"),
    ("what happens if the computer crashes", "daemon"),
    ("which day will my balance be lowest", "forecast"),
    ("how uncertain is the forecast, what does the 80 percent range mean", "forecast"),
    ("Google client id and secret", "google"),
    ("download all my data as a file", "moving"),
    ("restore my household from an export", "moving"),
    ("can I say ytd or last 90 days", "periods"),
    ("how is net worth over time worked out", "plan"),
    ("why does my plan say provisional", "plan"),
    ("which scopes may a program have", "programs"),
    ("revoke access of an app", "programs"),
    ("reach finplan from other machines with https using Caddy", "proxy"),
    ("answer the questions it asks about a shop", "questions"),
    ("add a note to a transaction", "questions"),
    ("how often does it sync with the bank", "schedule"),
    ("same account from two files imported twice", "statements"),
    ("which file formats from my bank can I import", "statements"),
    ("send events to Home Assistant", "webhooks"),
)
"""Those that it was never tuned by."""

LATER = (
    ("set up finplan for the first time", "first-plan"),
    ("my bank has no API, only downloads", "statement-files"),
    ("get rid of the uncategorised charges step by step", "answering"),
    ("what am I spending most on", "where-money-goes"),
    ("which subscriptions do I pay for", "where-money-goes"),
    ("will I run short before I get paid", "before-payday"),
    ("let Claude keep my budget", "budget-agent"),
    ("run it from cron every night", "cron"),
    ("show my plan on my Home Assistant dashboard", "home-assistant"),
    ("take my data to a new PC and restore a backup", "new-computer"),
    ("use finplan together with my girlfriend", "partner"),
    ("where is the Claude Desktop config file", "claude-desktop"),
    ("claude mcp add finplan", "claude-code"),
    ("Copilot agent mode in VS Code", "vscode"),
    ("cursor does not show the finplan tools", "cursor"),
    ("windsurf cascade", "windsurf"),
    ("Gemini in the terminal", "gemini-cli"),
    ("what is the savings rate in my plan", "numbers"),
    ("what does monthly.dailyAllowance mean in the JSON", "numbers"),
    ("which environment variable sets the port", "settings"),
)
"""Those that were written before the tutorials, the references and a page for each agent were."""

ABOUT_BANKS = (
    ("how do I link my bank account", "banks"),
    ("where do I get a SimpleFIN setup token", "banks"),
    ("does it work with Chase", "banks"),
    ("my bank wants me to sign in again", "banks"),
    ("the access expired, how do I reconnect", "banks"),
    ("will rows from my csv be there twice when I link the bank", "banks"),
    ("pending charge shows up twice", "banks"),
    ("how far back does the history from the bank go", "banks"),
    ("is my bank login stored on this machine", "banks"),
    ("the wrong kind of account after linking", "banks"),
)
"""Written once the page was."""

ABOUT_THE_WHOLE_SCREEN = (
    ("is there a full screen view in the terminal", "tui"),
    ("keyboard shortcuts", "tui"),
    ("does the TUI work over ssh", "tui"),
    ("use finplan with a screen reader", "tui"),
    ("which key marks several questions", "tui"),
)
"""Written before its words were."""

ABOUT_REFERENCES = (
    ("what does the error code CONFLICT mean", "errors"),
    ("status 507 INSUFFICIENT_STORAGE", "errors"),
    ("what is a leg in the glossary", "glossary"),
    ("all commands and their options", "commands"),
    ("list of REST endpoints", "routes"),
    ("arguments of the query_spending tool", "tools"),
    ("payload of plan.built", "events"),
    ("FINPLAN_RATE_LIMIT variable", "settings"),
)
"""Those that a page made for looking things up answers; each of them comes first."""

"""The tables of the published dataset: every column with its type and its words. The data card, the Croissant file and
the Parquet files are all made from these."""

from generator.release.columns import Column, PublishedTable

TASKS = PublishedTable(
    "tasks",
    "One row a task: the request, what the task contract shows, the sources and the servers.",
    (
        Column("task_id", "Short name of the task, e.g. erpbench-001."),
        Column("number", "Number of the task, 1 to 100.", "int32"),
        Column("tenant", "Tenant of the task, as in `tenants.slug`."),
        Column("family", "Workflow family, e.g. order_import."),
        Column("title", "The family in words."),
        Column("company", "Company of the tenant."),
        Column("as_of", "Where the world's clock stands, UTC."),
        Column("local_date", "Date at the tenant's site at that time."),
        Column("timezone", "Time zone of the tenant's site."),
        Column("currency", "Ledger currency."),
        Column("prompt", "What the agent is given, whole."),
        Column("task_contract", "What `erpbench.get_task` shows, as JSON."),
        Column(
            "sources",
            "The files on the tenant's drive, as the drive lists them.",
            many=True,
            members=(
                Column("file_id", "Drive file id."),
                Column("name", "File name."),
                Column("media_type", "Media type."),
                Column("version", "Version on the drive.", "int32"),
                Column("marked_current", "Whether the drive marks it as current, which may lag behind.", "bool"),
                Column("description", "Description on the drive."),
                Column("sha256", "Digest of its bytes, as in `assets.sha256`."),
            ),
        ),
        Column("tool_servers", "MCP servers that the agent reaches.", many=True),
        Column("write_tools", "Tools that may change something in this task.", many=True),
        Column(
            "answer_fields",
            "The figures to be submitted.",
            many=True,
            members=(
                Column("name", "Name of the figure."),
                Column("type", "JSON type: integer or number."),
                Column("definition", "What it counts or sums."),
            ),
        ),
        Column(
            "decision_options",
            "The options to choose from.",
            many=True,
            members=(
                Column("id", "Id of the option."),
                Column("label", "The option in words."),
                Column("status", "Status that belongs to it."),
            ),
        ),
        Column(
            "statuses",
            "The status vocabulary.",
            many=True,
            members=(Column("id", "Id of the status."), Column("meaning", "What it means.")),
        ),
        Column("register_range", "Cells of the operations register that the task writes."),
        Column("channel", "Channel of the post for review."),
        Column("points", "Points that can be earned.", "int32"),
        Column("criteria", "Number of criteria that are graded.", "int32"),
        Column("agent_timeout_seconds", "Time an agent has, in seconds.", "float64"),
        Column("harbor_task", "Name of the task's Harbor package, which holds world, solution and verifier."),
        Column("harbor_digest", "Harbor's digest of that package."),
    ),
    ("task_id",),
)

ASSETS = PublishedTable(
    "assets",
    "One row a native file: its bytes, its text and the tasks whose drive has it.",
    (
        Column("sha256", "Digest of the bytes."),
        Column("tenant", "Tenant whose file it is."),
        Column("name", "File name."),
        Column("path", "The same file in the browsable tree of this repository."),
        Column("format", "File format: the ending of its name."),
        Column("media_type", "Media type."),
        Column("size", "Size in bytes.", "int32"),
        Column("task_ids", "Tasks whose drive holds it.", many=True),
        Column("text", "What `google_drive.files.download` returns of it: every cell and line."),
        Column("content", "The file's bytes.", "binary"),
    ),
    ("tenant", "path"),
)

TOOLS = PublishedTable(
    "tools",
    "One row a tool of the MCP servers.",
    (
        Column("name", "Dotted name, the server's first."),
        Column("server", "MCP server."),
        Column("listed_name", "Name that the server lists to clients which refuse dots."),
        Column("description", "Description that clients get."),
        Column("input_schema", "JSON Schema of the arguments, as JSON."),
        Column("read_only", "Whether it changes nothing (readOnlyHint).", "bool"),
        Column("destructive", "destructiveHint.", "bool"),
        Column("idempotent", "idempotentHint.", "bool"),
        Column("open_world", "openWorldHint.", "bool"),
        Column("provider_operation", "Operation of the provider's own interface that it is shaped after, or empty."),
    ),
    ("name",),
)

TENANTS = PublishedTable(
    "tenants",
    "One row a company. Companies and people are invented.",
    (
        Column("slug", "Short name, the tenant of `tasks` and `assets`."),
        Column("code", "Three letters in the identifiers of its records."),
        Column("number", "0 to 9.", "int32"),
        Column("company", "Name of the company."),
        Column("industry", "What it makes or trades."),
        Column("site", "Site that the tasks are about."),
        Column("country", "Country code of the site."),
        Column("timezone", "Time zone of the site."),
        Column("currency", "Ledger currency."),
        Column("as_of", "Where the world's clock stands, UTC."),
        Column("policy_format", "Format in which the office keeps its policies."),
        Column("date_format", "How its documents write dates (strftime)."),
        Column("decimal_comma", "Whether its documents write a comma before decimals.", "bool"),
        Column("csv_delimiter", "What separates the columns of its CSV files."),
        Column("paper", "Paper size of its PDF files."),
        Column(
            "people",
            "Who works there.",
            many=True,
            members=(
                Column("role", "Role by which documents speak of the person."),
                Column("name", "Invented name."),
                Column("title", "Job title."),
                Column("email", "Address in a reserved domain."),
            ),
        ),
        Column("items", "Items in its item master.", "int32"),
        Column("customers", "Customer accounts.", "int32"),
        Column("suppliers", "Suppliers.", "int32"),
        Column("files", "Distinct native files, those of single tasks included.", "int32"),
        Column("task_ids", "Its tasks.", many=True),
    ),
    ("number",),
)

QUALIFICATION = PublishedTable(
    "qualification",
    "One row a kind of episode that the release was qualified with: what it must show and what came.",
    (
        Column("line", "Place in the table.", "int32"),
        Column("episodes", "Kind of episode."),
        Column("count", "How many were played or checked.", "int32"),
        Column("must_show", "What it must show."),
        Column("came", "What came."),
        Column("holds", "Whether it shows what it must.", "bool"),
        Column("mean", "Mean score of 100, null where there is none.", "float64"),
        Column("predecessor", "Figure that the benchmark this one follows published of its release."),
    ),
    ("line",),
)

TRAJECTORIES = PublishedTable(
    "trajectories",
    "One row an oracle's episode. It shows the whole solution of that task.",
    (
        Column("task_id", "Task that it solves."),
        Column("tenant", "Tenant of the task."),
        Column("family", "Workflow family."),
        Column("format", "Version of Harbor's trajectory format."),
        Column("calls", "Tool calls in it.", "int32"),
        Column("score", "Score of 100 that it earns.", "int32"),
        Column("canary", "Canary line."),
        Column("path", "The same trajectory as a file of this repository."),
        Column("trajectory", "The trajectory, as JSON."),
    ),
    ("task_id",),
)

TABLES = (TASKS, ASSETS, TOOLS, TENANTS, QUALIFICATION, TRAJECTORIES)

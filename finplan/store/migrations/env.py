"""How alembic reaches the store: over the connection that `store.migrate` hands it."""

from alembic import context

from finplan.store.tables.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    transactional_ddl=False,
)
context.run_migrations()

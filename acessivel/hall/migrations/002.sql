-- SPDX-License-Identifier: GPL-3.0-or-later
-- What an arbiter proposes again, as he did not hear whether it was kept, is kept once.

ALTER TABLE hall.proposals ADD COLUMN key text UNIQUE;
GRANT INSERT (key) ON hall.proposals TO {hall}_arbiter;

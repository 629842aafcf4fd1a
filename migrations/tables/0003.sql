-- What revision 0003 adds to the tables, for the audit; like the revision, never edited.

ALTER TABLE campaign ADD COLUMN pillbox_vp_so_far INTEGER;

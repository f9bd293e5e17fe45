-- Finding asks titles as searches for people ask names: all typed words, in any order, without accents and capitals.
create index training_activities_by_words on training_activities using gin (folded_words(title) gin_trgm_ops);
create index content_assignments_by_words on content_assignments using gin (folded_words(title) gin_trgm_ops);
create index resources_by_words on resources using gin (folded_words(title) gin_trgm_ops);

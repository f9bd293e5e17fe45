-- A cohort's members of one status, who are often few, and all of them.
drop index cohort_participants_by_cohort;
create index cohort_participants_by_cohort on cohort_participants (cohort_id, status, participant_id);
-- What a module has in the cohorts of its curriculum. Without the cohort each module read all activities of each.
drop index training_activities_by_module;
create index training_activities_by_module on training_activities (module_name, cohort_id)
  where module_name is not null;

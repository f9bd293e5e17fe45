-- A cohort's members, with any status. Each of the earlier two served one kind of members alone, and a list of all of
-- them read everybody's memberships.
drop index cohort_participants_by_cohort;
drop index cohort_participants_who_left;
create index cohort_participants_by_cohort on cohort_participants (cohort_id, participant_id) include (status);
-- The members' chosen tracks, without reading those of all cohorts.
create index track_selections_by_cohort on track_selections (cohort_id);

-- Lists name each person's first coach (coachesOf in coaching-access.ts). The index has a person's courses in that order.
create index user_courses_in_order on user_courses (user_id, start_date desc, course_id) include (coach_id)
  where status = 'enrolled';

import type { FastifyBaseLogger } from 'fastify';
import { slotTakenDetail } from '#contract/booking.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '#server/platform/errors.ts';

interface Refusal {
  code: ErrorCode;
  words: string;
  /** The field of the body that the words are about. */
  path?: string;
}

/** The refusal that a person reads after breaking a constraint, by the constraint's name. */
const refusals: (Refusal & { names: string[] })[] = [
  {
    code: 'conflict',
    words: 'This track no longer exists. Somebody may have deleted it.',
    path: 'trackId',
    names: ['course_modules_specialization_track_id_fkey', 'track_selections_specialization_track_id_fkey'],
  },
  {
    code: 'conflict',
    words: 'This module no longer exists. Somebody may have deleted it.',
    names: ['participant_module_completions_module_id_fkey'],
  },
  {
    code: 'conflict',
    words: 'This activity no longer exists. Somebody may have deleted it.',
    names: [
      'attendance_corrections_activity_id_fkey',
      'attendance_records_content_id_fkey',
      'attendance_removals_activity_id_fkey',
      'content_items_training_activity_id_fkey',
      'excused_absences_activity_id_fkey',
    ],
  },
  {
    code: 'conflict',
    words: 'This content no longer exists. Somebody may have deleted it.',
    names: ['content_assignments_content_item_id_fkey', 'content_ticks_content_item_id_fkey'],
  },
  {
    code: 'not_found',
    words: 'Assignment not found',
    names: ['assignment_drafts_assignment_id_fkey', 'content_submissions_assignment_id_fkey'],
  },
  {
    code: 'conflict',
    words: 'This cohort no longer exists. Somebody may have deleted it.',
    names: [
      'attendance_corrections_cohort_id_fkey',
      'attendance_records_cohort_id_fkey',
      'cohort_participants_cohort_id_fkey',
      'participant_module_completions_cohort_id_fkey',
      'participant_progress_cohort_id_fkey',
      'performance_feedback_cohort_id_fkey',
      'programme_copies_cohort_id_fkey',
      'programme_copies_source_cohort_id_fkey',
      'stipend_eligibility_cohort_id_fkey',
      'stipend_handovers_cohort_id_fkey',
      'stipend_questions_cohort_id_fkey',
      'track_selections_cohort_id_fkey',
      'training_activities_cohort_id_fkey',
      'weekly_requirements_cohort_id_fkey',
    ],
  },
  {
    code: 'conflict',
    words: 'This course no longer exists. Somebody may have deleted it.',
    names: ['user_courses_course_id_fkey'],
  },
  {
    code: 'conflict',
    words: 'This file no longer exists. Please upload it again.',
    path: 'fileId',
    names: [
      'assignment_drafts_file_path_fkey',
      'coach_messages_file_path_fkey',
      'content_items_file_path_fkey',
      'content_submissions_file_path_fkey',
      'submission_rounds_file_path_fkey',
      'user_files_file_path_fkey',
    ],
  },
  {
    code: 'duplicate',
    words: 'This email address has another account already.',
    names: ['profiles_email_key', 'user_email_key'],
  },
  {
    code: 'invalid_input',
    words: 'This file is part of another submission. Please upload it again.',
    names: ['one_submission_a_file'],
  },
  {
    code: 'slot_taken',
    words: slotTakenDetail,
    names: ['coach_is_never_double_booked', 'participant_is_never_double_booked'],
  },
  {
    code: 'conflict',
    words: 'This booking was made before and has changed since. Please choose a time again.',
    names: ['coaching_sessions_pkey'],
  },
];

export const brokenConstraints: readonly string[] = refusals.flatMap(({ names }) => names);

/**
 * People who act at the same time can break any constraint of these classes. These words serve names without their own.
 */
const ofClass: Record<string, Refusal> = {
  // foreign_key_violation
  '23503': {
    code: 'conflict',
    words: 'Something this needs was removed or changed. Reload the page and try again.',
  },
  // unique_violation
  '23505': { code: 'duplicate', words: 'This is there already. Reload the page to see it.' },
  // exclusion_violation
  '23P01': { code: 'conflict', words: 'This overlaps with what is there already. Reload the page and try again.' },
};

const byName = new Map<string, Refusal>(
  refusals.flatMap(({ names, ...refusal }) => names.map((name) => [name, refusal])),
);

/**
 * Returns the refusal for a constraint that PostgreSQL found broken, and logs its name. Null for other errors, and for
 * a check or a missing value without words here. The contract lets no input break those, so they are our own fault.
 */
export function refusalOfBrokenConstraint(error: unknown, log: Pick<FastifyBaseLogger, 'warn'>): AppError | null {
  if (!(error instanceof Error && 'code' in error && 'constraint' in error)) return null;
  const { code, constraint } = error;
  const refusal = byName.get(String(constraint)) ?? ofClass[String(code)];
  if (!refusal) return null;
  log.warn({ constraint, sqlState: code }, 'a constraint was broken');
  return toError(refusal);
}

/** The same refusal, for an act that finds out before the database does. */
export function refusalNamed(constraint: string): AppError {
  const refusal = byName.get(constraint);
  if (!refusal) throw new Error(`Nothing is said of the constraint ${constraint}.`);
  return toError(refusal);
}

function toError({ code, words, path }: Refusal): AppError {
  return new AppError(code, words, path ? { errors: [{ path, message: words }] } : {});
}

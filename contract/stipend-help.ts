import { assignmentsHelp, attendanceHelp, type Criterion, ratingHelp, specifiedRules } from './stipend-rules.ts';

interface Help {
  about: Criterion['about'];
  question: string;
  answer: string;
}

/** Answers what people ask at the criteria of a week. The numbers come from the rules. */
export const stipendHelp: { criteria: Help[]; unpaid: string } = {
  criteria: [
    { about: 'activities', question: 'What counts as attendance?', answer: attendanceHelp },
    { about: 'assignments', question: 'Which assignments count?', answer: assignmentsHelp },
    { about: 'rating', question: 'Who rates me?', answer: ratingHelp },
  ],
  unpaid: `A week is paid if all ${specifiedRules.criteria.length} are met when it is decided. What comes later does not count. Is something recorded wrong? Ask about the week in My Stipends.`,
};

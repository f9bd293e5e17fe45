import { randomUUID } from 'node:crypto';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { defaultPreferences } from '#contract/notices.ts';
import { type Permission, permissions, type Role } from '#contract/roles.ts';
import { readContract } from '../test/support/contract.ts';
import type { Sent } from './load.ts';
import type { TableWorld } from './table-world.ts';

type Input = { params?: Record<string, string>; query?: Record<string, string>; body?: object };

export interface TableCall {
  name: string;
  endpoint: Endpoint;
  /** Null for an act of somebody who is signed out. */
  role: Role | null;
  /** The line is one of those at once, and a person of their own where the role has many. */
  inputOf: (line: number, turn: number) => Input;
}

/** What reads need beside their address. The others need nothing. */
const inputs: Record<string, (world: TableWorld) => Input> = {
  listCohortMembers: ofCohort,
  listCohortProgress: ofCohort,
  listContents: ofActivity,
  listConversations: ofParticipant,
  listReconciliation: () => ({ query: { kind: 'approved_not_sent' } }),
  listSavedFilters: () => ({ query: { list: 'users' } }),
  readCohortCompletion: ofCohort,
  readCohortWeeks: ofCohort,
  listRequirements: ({ cohortId }) => ({ query: { cohort: cohortId } }),
  listSignInsOfPerson: ofParticipant,
  listStipendWeeksOf: ofParticipant,
  find: () => ({ query: { words: 'member' } }),
  listStipends: () => ({ query: { week: '1' } }),
  listUnprocessedCohorts: () => ({ query: { week: '2' } }),
  previewCoachReplacement: ({ cohortId, participant, coach }) => ({
    query: { userId: participant.id, cohortId, coachId: coach.id },
  }),
  previewHandover: () => ({ query: { week: '1' } }),
  previewProgrammeDates: ({ cohortId, startDate }) => ({ params: { id: cohortId }, query: { startDate } }),
  readActivity: ofActivity,
  readActivityContent: ofActivity,
  readAssignment: ({ assignmentId }) => ({ params: { id: assignmentId } }),
  readAttendance: ofActivity,
  readAvailability: ({ sunday }) => ({ params: { weekStartDate: sunday } }),
  readCohort: ofCohort,
  readCohortMember: ofMember,
  readConversation: ({ coach }) => ({ params: { id: coach.id } }),
  readMemberProgress: ofMember,
  readOwnAttendanceCorrections: ofActivity,
  readProgramme: () => ({ params: { id: defaultProgrammeId } }),
  readPublicationEffect: ({ startDate }) => ({ params: { id: defaultProgrammeId }, query: { fromDay: startDate } }),
  readStipend: ({ stipendId }) => ({ params: { id: stipendId } }),
  readSubmission: ({ submissionId }) => ({ params: { id: submissionId } }),
  readTrainingActivity: ofActivity,
  readPerson: ofParticipant,
  listPersonHistory: ofParticipant,
  listPersonNotes: ofParticipant,
  readUser: ofParticipant,
};

/** Lists that hold far more for a higher role. */
const alsoAs: Record<string, Role[]> = {
  listSubmissions: ['coach', 'admin'],
  readTrainingCalendar: ['coach', 'admin'],
  listContacts: ['coach'],
};

/** Every read of the contract, by the least of the roles that may. Those that are not measured come with a reason. */
export async function findReads(world: TableWorld): Promise<{ calls: TableCall[]; left: string[] }> {
  const reads = (await readContract()).filter(({ method }) => method === 'GET');
  const left: string[] = [];
  const calls = reads.flatMap((endpoint): TableCall[] => {
    const { name, access, binary, path } = endpoint;
    const input = inputs[name]?.(world) ?? {};
    const missing = [...path.matchAll(/:(\w+)/g)].filter(([, param = '']) => !input.params?.[param]);
    const reason = binary ? 'a stream or a file' : missing.length > 0 ? 'no record of it is made' : null;
    if (reason) left.push(`${name}: ${reason}`);
    if (reason || access === 'signed') return [];
    const [least = null] = access in permissions ? permissions[access as Permission] : ['participant' as const];
    return [least, ...(alsoAs[name] ?? [])].map((role, place) => ({
      name: place === 0 ? name : `${name}, ${role}`,
      endpoint,
      role,
      inputOf: () => input,
    }));
  });
  return { calls, left };
}

/** The ten commonest acts, each so that it can be repeated. */
export async function findActs(world: TableWorld): Promise<TableCall[]> {
  const { coach, participants, cohortId, laterActivityId, itemId, moduleId } = world;
  const personOf = (line: number) => {
    const person = participants[line % participants.length];
    if (!person) throw new Error('The coach has no participants.');
    return person;
  };
  const acts: Record<string, { role: Role | null; inputOf: TableCall['inputOf'] }> = {
    signIn: { role: null, inputOf: () => ({ body: world.signIn }) },
    sendMessage: {
      role: 'participant',
      inputOf: () => ({
        params: { id: coach.id },
        body: { clientKey: randomUUID(), text: 'How was the substation?', fileId: null },
      }),
    },
    markConversationRead: {
      role: 'participant',
      inputOf: (line) => ({ params: { id: coach.id }, body: { upToId: personOf(line).messageId } }),
    },
    recordAttendance: {
      role: 'participant',
      inputOf: (line) => ({
        body: {
          fellow_id: personOf(line).id,
          cohort_id: cohortId,
          week_number: 1,
          content_type: 'live_session',
          content_id: world.activityId,
          duration_minutes: 60,
        },
      }),
    },
    correctAttendance: {
      role: 'coach',
      inputOf: (line, turn) => ({
        params: { id: laterActivityId, participantId: personOf(line).id },
        body: { attended: turn % 2 === 0, reason: 'The sheet says so.' },
      }),
    },
    setContentTick: {
      role: 'participant',
      inputOf: (_, turn) => ({ params: { id: itemId }, body: { isTicked: turn % 2 === 0 } }),
    },
    rateWeek: {
      role: 'coach',
      inputOf: (line, turn) => ({
        params: { participantId: personOf(line).id, weekNumber: '5' },
        body: { rating: 1 + (turn % 5), comment: null },
      }),
    },
    setModuleCompletion: {
      role: 'coach',
      inputOf: (line, turn) => ({
        params: { id: cohortId, participantId: personOf(line).id, moduleId },
        body: { isCompleted: turn % 2 === 0, note: 'Seen in the session.' },
      }),
    },
    saveNotificationPreferences: { role: 'participant', inputOf: () => ({ body: defaultPreferences }) },
    markAllNoticesRead: {
      role: 'participant',
      inputOf: (line) => ({ body: { upToId: personOf(line).noticeId } }),
    },
  };
  const contract = await readContract();
  return Object.entries(acts).map(([name, act]) => {
    const endpoint = contract.find((one) => one.name === name);
    if (!endpoint) throw new Error(`The contract has no ${name}.`);
    return { name, endpoint, ...act };
  });
}

export function requestOf({ endpoint, inputOf }: TableCall, line: number, turn: number, cookie: string): Sent {
  const { params = {}, query = {}, body } = inputOf(line, turn);
  const filled = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const path = Object.keys(query).length > 0 ? `${filled}?${new URLSearchParams(query)}` : filled;
  return { method: endpoint.method, path, cookie, body };
}

function ofCohort({ cohortId }: TableWorld): Input {
  return { params: { id: cohortId } };
}

function ofActivity({ activityId }: TableWorld): Input {
  return { params: { id: activityId } };
}

function ofParticipant({ participant }: TableWorld): Input {
  return { params: { id: participant.id } };
}

function ofMember({ cohortId, participant }: TableWorld): Input {
  return { params: { id: cohortId, participantId: participant.id } };
}

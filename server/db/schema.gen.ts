// Written by `npm run db:types` from the migrated database. Do not edit.
import type { ColumnType } from 'kysely';

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;
export type GeneratedAlways<T> = T extends ColumnType<infer S, infer _I, infer _U> ? ColumnType<S, never, never> : ColumnType<T, never, never>;
/** Pass JSON.stringify(value). The driver would write an array as a PostgreSQL array. */
export type Json = ColumnType<unknown, string, string>;
export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface AdminGrantsTable {
  grantedAt: Generated<Timestamp>;
  grantedBy: string;
  personId: string;
}

export interface AssignmentDraftsTable {
  assignmentId: string;
  basedOnRound: number | null;
  draftText: Generated<string>;
  filePath: string | null;
  updatedAt: Generated<Timestamp>;
  userId: string;
}

export interface AttendanceCorrectionsTable {
  activityId: string;
  answer: string | null;
  answeredAt: Timestamp | null;
  answeredBy: string | null;
  askedAt: Generated<Timestamp>;
  attended: boolean;
  cohortId: string;
  id: Generated<string>;
  participantId: string;
  reason: string;
  status: Generated<string>;
  weekNumber: number;
}

export interface AttendanceRecordsTable {
  accessedAt: Generated<Timestamp>;
  cohortId: string;
  contentId: string;
  contentType: Generated<string>;
  durationMinutes: Generated<number>;
  fellowId: string;
  id: Generated<string>;
  reason: string | null;
  recordedBy: string | null;
  weekNumber: number;
}

export interface AttendanceRemovalsTable {
  activityId: string;
  participantId: string;
  reason: string;
  removedAt: Generated<Timestamp>;
  removedBy: string;
}

export interface AuditLogTable {
  action: string;
  actorId: string | null;
  after: Json | null;
  at: Generated<Timestamp>;
  before: Json | null;
  id: Generated<string>;
  reason: string | null;
  subjectId: string;
  subjectType: string;
}

export interface BackupsTable {
  endedAt: Timestamp | null;
  error: string | null;
  id: Generated<string>;
  isScheduled: boolean;
  missingFiles: number | null;
  name: string;
  outcome: string | null;
  place: string;
  removedAt: Timestamp | null;
  sizeBytes: number | null;
  startedAt: Generated<Timestamp>;
}

export interface BulkImportRowsTable {
  error: string | null;
  fileRow: number | null;
  importId: string;
  record: Json;
  rowNumber: number;
  status: Generated<string>;
  userId: string | null;
}

export interface BulkImportsTable {
  completedAt: Timestamp | null;
  createdAt: Generated<Timestamp>;
  createdBy: string;
  errorReport: Generated<Json>;
  failedRecords: Generated<number>;
  filename: string;
  id: Generated<string>;
  status: Generated<string>;
  successfulRecords: Generated<number>;
  totalRecords: number;
  undoneAt: Timestamp | null;
  undoneBy: string | null;
  webhookSent: Generated<boolean>;
}

export interface CalendarFeedsTable {
  createdAt: Generated<Timestamp>;
  encryptedToken: string;
  lastReadAt: Timestamp | null;
  tokenHash: string;
  userId: string;
}

export interface CoachAvailabilityTable {
  coachId: string;
  dayOfWeek: number;
  endTime: string;
  id: Generated<string>;
  isAvailable: Generated<boolean>;
  startTime: string;
  weekStartDate: string;
}

export interface CoachLeaveTable {
  coachId: string;
  endsOn: string;
  id: Generated<string>;
  note: string | null;
  startsOn: string;
}

export interface CoachMessagesTable {
  clientKey: string | null;
  filePath: string | null;
  id: Generated<string>;
  isRead: Generated<boolean>;
  message: Generated<string>;
  messageType: Generated<string>;
  readAt: Timestamp | null;
  recipientId: string;
  recipientType: string;
  senderId: string;
  sentAt: Generated<Timestamp>;
  subject: string | null;
}

export interface CoachingSessionsTable {
  agenda: string | null;
  calendarSequence: Generated<number>;
  cancelReason: string | null;
  closedAt: Timestamp | null;
  coachId: string;
  createdAt: Generated<Timestamp>;
  durationMinutes: Generated<number>;
  id: Generated<string>;
  noShowReason: string | null;
  notes: string | null;
  participantId: string;
  scheduledAt: Timestamp;
  status: Generated<string>;
  teamsLink: string | null;
  updatedAt: Generated<Timestamp>;
}

export interface CohortCalendarsTable {
  curriculumVersion: string | null;
  daysPerWeek: number | null;
  endDate: string | null;
  holidays: Json | null;
  id: string | null;
  name: string | null;
  paidKinds: string[] | null;
  payPeriod: string | null;
  programType: string | null;
  programmeId: string | null;
  startDate: string | null;
  status: string | null;
  unlockedWeeks: number | null;
  weeks: number | null;
  zone: string | null;
}

export interface CohortParticipantsTable {
  cohortId: string;
  endedAt: Timestamp | null;
  enrolledAt: Generated<Timestamp>;
  participantId: string;
  status: Generated<string>;
}

export interface CohortsTable {
  askedOffAt: Timestamp | null;
  askedOffBy: string | null;
  capacity: Generated<number>;
  createdAt: Generated<Timestamp>;
  currentEnrollment: Generated<number>;
  curriculumVersion: Generated<string>;
  description: Generated<string>;
  endDate: string;
  id: Generated<string>;
  name: string;
  needsSecondApprover: Generated<boolean>;
  programType: string;
  programmeId: Generated<string>;
  startDate: string;
  status: Generated<string>;
  unlockedWeeks: Generated<number>;
  version: Generated<number>;
}

export interface ContentAssignmentsTable {
  archivedAt: Timestamp | null;
  assignmentType: Generated<string>;
  calendarSequence: Generated<number>;
  contentItemId: string;
  createdAt: Generated<Timestamp>;
  dueDate: string | null;
  id: Generated<string>;
  instructions: string;
  isRequired: Generated<boolean>;
  maxPoints: Generated<number>;
  orderIndex: Generated<number>;
  title: string;
  updatedAt: Generated<Timestamp>;
  version: Generated<number>;
}

export interface ContentEvaluationsTable {
  feedback: string | null;
  gradedAt: Generated<Timestamp>;
  gradedBy: string | null;
  pointsEarned: number | null;
  submissionId: string;
}

export interface ContentItemsTable {
  archivedAt: Timestamp | null;
  contentText: string | null;
  contentType: Generated<string>;
  contentUrl: string | null;
  createdAt: Generated<Timestamp>;
  description: string | null;
  dueDate: string | null;
  estimatedMinutes: Generated<number>;
  filePath: string | null;
  id: Generated<string>;
  isRequired: Generated<boolean>;
  orderIndex: Generated<number>;
  title: string;
  trainingActivityId: string;
  version: Generated<number>;
}

export interface ContentSubmissionsTable {
  assignmentId: string;
  feedback: string | null;
  filePath: string | null;
  id: Generated<string>;
  reviewedAt: Timestamp | null;
  reviewedBy: string | null;
  roundNumber: Generated<number>;
  status: Generated<string>;
  submissionText: string | null;
  submittedAt: Generated<Timestamp>;
  userId: string;
}

export interface ContentTicksTable {
  contentItemId: string;
  tickedAt: Generated<Timestamp>;
  userId: string;
}

export interface ConversationOpeningsTable {
  adminId: string;
  coachId: string;
  id: Generated<string>;
  openedAt: Generated<Timestamp>;
  participantId: string;
  reason: string | null;
}

export interface CountedAnewTable {
  change: number | null;
  hour: Timestamp | null;
  part: string | null;
  what: string | null;
}

export interface CourseModulesTable {
  archivedAt: Timestamp | null;
  curriculumVersion: Generated<string>;
  id: Generated<string>;
  moduleType: string;
  orderIndex: Generated<number>;
  specializationTrackId: string | null;
  title: string;
  version: Generated<number>;
}

export interface CoursesTable {
  archivedAt: Timestamp | null;
  createdAt: Generated<Timestamp>;
  id: Generated<string>;
  title: string;
  trackType: string;
  version: Generated<number>;
}

export interface DeliveriesTable {
  address: string;
  attempts: Generated<number>;
  awaitingAnswerSince: Timestamp | null;
  calendarMethod: string | null;
  calendarText: string | null;
  channel: Generated<string>;
  createdAt: Generated<Timestamp>;
  eventId: string | null;
  eventKey: string | null;
  givenUpAt: Timestamp | null;
  htmlBody: string | null;
  id: Generated<string>;
  isSealed: Generated<boolean>;
  kind: string;
  lastError: string | null;
  notBefore: Timestamp | null;
  recipientId: string | null;
  sentAt: Timestamp | null;
  status: Generated<string>;
  subject: string;
  textBody: string;
  triedUntil: Timestamp | null;
}

export interface ExcusedAbsencesTable {
  activityId: string;
  excusedAt: Generated<Timestamp>;
  excusedBy: string;
  participantId: string;
  reason: string;
}

export interface FactChangesTable {
  cohortId: string | null;
  fact: string;
  id: GeneratedAlways<number>;
  personId: string | null;
  transactionId: Generated<string>;
  weekNumber: number | null;
}

export interface FormerPushKeysTable {
  encryptedPrivateKey: string;
  publicKey: string;
  replacedAt: Generated<Timestamp>;
}

export interface InspectionsTable {
  findings: Json;
  inspectedAt: Timestamp;
  isOnlyRow: Generated<boolean>;
}

export interface InvitationsTable {
  acceptedAt: Timestamp | null;
  expiresAt: Timestamp;
  id: Generated<string>;
  importId: string | null;
  sentAt: Generated<Timestamp>;
  userId: string;
}

export interface LastMessagesTable {
  personId: string;
  sentAt: Timestamp;
}

export interface LastSignInsTable {
  signedInAt: Generated<Timestamp>;
  userId: string;
}

export interface LedgerVerificationsTable {
  differences: number;
  firstProblem: string | null;
  id: Generated<string>;
  lastHash: string;
  lines: number;
  problems: number;
  verifiedAt: Generated<Timestamp>;
}

export interface NewAdminsTable {
  approvesFrom: Timestamp | null;
  personId: string | null;
}

export interface NoticeEventsTable {
  category: string | null;
  createdAt: Generated<Timestamp>;
  decidedAt: Timestamp | null;
  dueAt: Generated<Timestamp>;
  eventKey: string;
  facts: Generated<Json>;
  id: Generated<string>;
  kind: string;
  outcome: string | null;
  subjectId: string | null;
  userId: string;
}

export interface NoticesTable {
  createdAt: Generated<Timestamp>;
  eventId: string | null;
  id: Generated<string>;
  kind: string;
  link: string | null;
  matter: string | null;
  message: Generated<string>;
  readAt: Timestamp | null;
  replacedBy: string | null;
  title: string;
  userId: string;
}

export interface NotificationPreferencesTable {
  assignmentReminders: Generated<boolean>;
  coachMessages: Generated<boolean>;
  deadlineAlerts: Generated<boolean>;
  emailEnabled: Generated<boolean>;
  performanceFeedback: Generated<boolean>;
  pushEnabled: Generated<boolean>;
  smsEnabled: Generated<boolean>;
  stipendUpdates: Generated<boolean>;
  userId: string;
}

export interface ParticipantModuleCompletionsTable {
  cohortId: string;
  completedAt: Generated<Timestamp>;
  moduleId: string;
  note: string | null;
  participantId: string;
  setBy: string | null;
}

export interface ParticipantProgressTable {
  cohortId: string;
  completedModules: Generated<number>;
  coreModulesCompleted: Generated<number>;
  daysAheadBehind: Generated<number>;
  lastActivityDate: string | null;
  overallCompletionPercentage: Generated<number>;
  participantId: string;
  specializationModulesCompleted: Generated<number>;
  status: Generated<string>;
  totalModules: Generated<number>;
}

export interface PerformanceFeedbackTable {
  cohortId: string;
  comment: string | null;
  createdAt: Generated<Timestamp>;
  fellowId: string;
  id: Generated<string>;
  overallRating: number;
  ratedBy: string;
  updatedAt: Generated<Timestamp>;
  weekNumber: number;
}

export interface PersonNotesTable {
  authorId: string;
  id: Generated<string>;
  kind: string;
  note: string;
  personId: string;
  writtenAt: Generated<Timestamp>;
}

export interface ProfilesTable {
  calendlyLink: string | null;
  createdAt: Generated<Timestamp>;
  deletedAt: Timestamp | null;
  email: string;
  externalBookingInstructions: string | null;
  firstName: string;
  fullName: GeneratedAlways<string>;
  id: string;
  lastName: string;
  microsoftBookingLink: string | null;
  phone: string | null;
  phoneConfirmedAt: Timestamp | null;
  requestedRole: string | null;
  role: Generated<string>;
  schedulingEnabled: Generated<boolean>;
  schedulingLink: string | null;
  searchText: GeneratedAlways<string>;
  trackType: string | null;
  version: Generated<number>;
}

export interface ProgrammeAudiencesTable {
  key: Generated<string>;
  kinds: string[];
  label: string;
  place: number;
  programmeId: string;
}

export interface ProgrammeCopiesTable {
  cohortId: string | null;
  createdAt: Generated<Timestamp>;
  createdBy: string;
  id: string;
  sourceCohortId: string | null;
  undoneAt: Timestamp | null;
}

export interface ProgrammesTable {
  archivedAt: Timestamp | null;
  createdAt: Generated<Timestamp>;
  daysPerWeek: Generated<number>;
  firstWeekday: number | null;
  holidays: Generated<Json>;
  id: Generated<string>;
  kindLabels: Generated<Json>;
  moduleNames: Generated<string[]>;
  name: string;
  paidKinds: Generated<string[]>;
  payPeriod: Generated<string>;
  version: Generated<number>;
  weeks: number;
  zone: string;
}

export interface PushKeysTable {
  createdAt: Generated<Timestamp>;
  encryptedPrivateKey: string;
  isOnlyRow: Generated<boolean>;
  publicKey: string;
}

export interface PushSubscriptionsTable {
  authSecret: string;
  createdAt: Generated<Timestamp>;
  endpoint: string;
  formerKey: string | null;
  id: Generated<string>;
  p256dh: string;
  sessionId: string | null;
  userAgent: string | null;
  userId: string;
}

export interface ReadinessChecksTable {
  checkedAt: Timestamp;
  isOnlyRow: Generated<boolean>;
}

export interface ResourcesTable {
  courseModule: string | null;
  createdAt: Generated<Timestamp>;
  description: string | null;
  fileType: Generated<string>;
  fileUrl: string;
  id: Generated<string>;
  program: Generated<string>;
  programmeId: string | null;
  title: string;
  uploadedBy: string | null;
  version: Generated<number>;
}

export interface ReviewClaimsTable {
  claimedAt: Generated<Timestamp>;
  expiresAt: Timestamp;
  reviewerId: string;
  submissionId: string;
}

export interface ReviewCorrectionsTable {
  correctedAt: Timestamp;
  correctedBy: string;
  feedback: string;
  id: Generated<string>;
  pointsEarned: number | null;
  reason: string;
  reviewStatus: string;
  roundNumber: number;
  submissionId: string;
}

export interface ReviewDraftsTable {
  feedback: Generated<string>;
  pointsEarned: number | null;
  reviewStatus: string;
  reviewerId: string;
  roundNumber: number;
  submissionId: string;
  updatedAt: Generated<Timestamp>;
}

export interface ReviewRetractionsTable {
  retractedAt: Timestamp;
  reviewStatus: string;
  reviewedAt: Timestamp;
  reviewedBy: string;
  roundNumber: number;
  submissionId: string;
}

export interface RuleSetsTable {
  draftedAt: Generated<Timestamp>;
  draftedBy: string | null;
  edition: Generated<number>;
  firstPublishedAt: Timestamp | null;
  firstPublishedBy: string | null;
  fromDay: string | null;
  id: Generated<string>;
  programmeId: string;
  publishedAt: Timestamp | null;
  publishedBy: string | null;
  rules: Json;
  version: number;
}

export interface SavedCommentsTable {
  commentText: string;
  createdAt: Generated<Timestamp>;
  id: Generated<string>;
  isShared: Generated<boolean>;
  ownerId: string | null;
  title: string;
  updatedAt: Generated<Timestamp>;
  version: Generated<number>;
}

export interface SavedFiltersTable {
  id: Generated<string>;
  list: string;
  name: string;
  ownerId: string;
  savedAt: Generated<Timestamp>;
  search: Json;
}

export interface SpecializationTracksTable {
  description: Generated<string>;
  durationWeeks: Generated<number>;
  id: Generated<string>;
  isActive: Generated<boolean>;
  name: string;
  version: Generated<number>;
}

export interface StandingPaymentPartsTable {
  amountCents: number | null;
  handoverId: string | null;
  id: string | null;
  note: string | null;
  paidAt: Timestamp | null;
  part: number | null;
  recordedBy: string | null;
  reference: string | null;
  reversalsBefore: number | null;
  source: string | null;
  stipendId: string | null;
}

export interface StipendBalancesTable {
  fellowId: string | null;
  handedCents: number | null;
  owedCents: number | null;
  paidCents: number | null;
  stipendId: string | null;
}

export interface StipendConfirmationRowsTable {
  amountCents: number;
  confirmationId: string;
  outcome: string;
  stipendId: string;
}

export interface StipendConfirmationsTable {
  bodyHash: string;
  handoverId: string;
  id: string;
  receivedAt: Generated<Timestamp>;
  reference: string;
}

export interface StipendEligibilityTable {
  activitiesAccessed: number;
  activitiesTotal: number;
  amountApprovedAt: Timestamp | null;
  amountApprovedBy: string | null;
  amountLines: Json | null;
  amountReason: string | null;
  amountSetBy: string | null;
  amountSetters: Generated<string[]>;
  approvedAt: Timestamp | null;
  approvedBy: string | null;
  assignmentEligible: GeneratedAlways<boolean | null>;
  assignmentsSubmitted: number;
  assignmentsTotal: number;
  attendanceEligible: GeneratedAlways<boolean | null>;
  attendancePercentage: number;
  cohortId: string;
  createdAt: Generated<Timestamp>;
  criteria: Json;
  denialReason: string | null;
  evidence: Json | null;
  fellowId: string;
  firstApprovedAt: Timestamp | null;
  firstApprovedBy: string | null;
  id: Generated<string>;
  isAmountSetByHand: Generated<boolean>;
  isMember: Generated<boolean>;
  moreFacts: Json | null;
  overallEligible: GeneratedAlways<boolean>;
  payeeEmail: string | null;
  payeeName: string | null;
  payeeRenewedAt: Timestamp | null;
  payeeRenewedBy: string | null;
  paymentStatus: Generated<string>;
  performanceEligible: GeneratedAlways<boolean | null>;
  performanceRating: number | null;
  ruleAmountCents: Generated<number>;
  rulesVersion: number;
  stipendAmountCents: Generated<number>;
  updatedAt: Generated<Timestamp>;
  version: Generated<number>;
  weekNumber: number;
}

export interface StipendHandoverRowsTable {
  amountCents: number;
  cohortAssigned: string | null;
  handoverId: string;
  isFirst: Generated<boolean>;
  part: Generated<number>;
  participantEmail: string | null;
  stipendId: string;
}

export interface StipendHandoverTriesTable {
  error: string | null;
  finishedAt: Timestamp | null;
  handoverId: string;
  id: Generated<string>;
  mayHaveArrived: Generated<boolean>;
  responseStatus: number | null;
  triedAt: Generated<Timestamp>;
}

export interface StipendHandoversTable {
  body: string;
  bodyHash: Generated<string>;
  claimedUntil: Timestamp | null;
  cohortId: string | null;
  createdAt: Generated<Timestamp>;
  createdBy: string;
  id: Generated<string>;
  recallReason: string | null;
  recalledBy: string | null;
  recipients: number;
  sentAt: Timestamp | null;
  status: Generated<string>;
  totalCents: number;
  weekNumber: number;
}

export interface StipendLedgerTable {
  actorId: string | null;
  after: Json;
  at: Timestamp;
  before: Json;
  fellowId: string;
  handedCents: number;
  handoverId: string | null;
  hash: string;
  kind: string;
  owedCents: number;
  paidCents: number;
  position: number;
  previousHash: string;
  reason: string | null;
  stipendId: string;
}

export interface StipendOutlooksTable {
  holdsFrom: Timestamp;
  holdsUntil: Timestamp;
  isAtRisk: boolean;
  personId: string;
  stipendId: string | null;
  stipendVersion: number | null;
}

export interface StipendPaymentPartsTable {
  amountCents: number;
  handoverId: string | null;
  id: Generated<string>;
  note: string | null;
  paidAt: Generated<Timestamp>;
  part: Generated<number>;
  recordedBy: string | null;
  reference: string | null;
  reversalsBefore: Generated<number>;
  source: string;
  stipendId: string;
}

export interface StipendPaymentReversalsTable {
  at: Generated<Timestamp>;
  paymentId: string;
  reason: string;
  reversedBy: string;
}

export interface StipendPaymentsTable {
  amountCents: number | null;
  note: string | null;
  paidAt: Timestamp | null;
  part: number | null;
  recordedBy: string | null;
  reference: string | null;
  source: string | null;
  stipendId: string | null;
}

export interface StipendQuestionsTable {
  answer: string | null;
  answeredAt: Timestamp | null;
  answeredBy: string | null;
  askedAt: Generated<Timestamp>;
  cohortId: string;
  facts: string[];
  id: Generated<string>;
  participantId: string;
  question: string;
  status: Generated<string>;
  weekNumber: number;
}

export interface StoredFilesTable {
  area: string;
  completedAt: Timestamp | null;
  continuedAt: Generated<Timestamp>;
  createdAt: Generated<Timestamp>;
  displayName: string;
  id: string;
  mimeType: string;
  ownerId: string;
  path: string;
  size: number;
}

export interface SubmissionRoundsTable {
  feedback: string | null;
  filePath: string | null;
  pointsEarned: number | null;
  reviewStatus: string | null;
  reviewedAt: Timestamp | null;
  reviewedBy: string | null;
  roundNumber: number;
  submissionId: string;
  submissionText: string | null;
  submittedAt: Timestamp;
}

export interface TalliesTable {
  change: number;
  hour: Generated<Timestamp>;
  id: GeneratedAlways<number>;
  part: Generated<string>;
  what: string;
}

export interface TrackSelectionsTable {
  cohortId: string;
  id: Generated<string>;
  isLocked: Generated<boolean>;
  lockedAt: Timestamp | null;
  notes: string | null;
  participantId: string;
  selectedAt: Generated<Timestamp>;
  specializationTrackId: string;
}

export interface TrainingActivitiesTable {
  applicableAmbassador: Generated<boolean>;
  applicableAmp: Generated<boolean>;
  applicableFellowship: Generated<boolean>;
  applicableFellowshipAdjunct: Generated<boolean>;
  audiences: Generated<string[]>;
  calendarSequence: Generated<number>;
  cohortId: string | null;
  copyId: string | null;
  createdAt: Generated<Timestamp>;
  deliveryMedium: string | null;
  deliveryPartner: string | null;
  description: string | null;
  duration: string | null;
  durationMinutes: number | null;
  id: Generated<string>;
  isRequired: Generated<boolean>;
  location: string | null;
  moduleName: string | null;
  programmeId: Generated<string>;
  reaches: Generated<string[]>;
  sessionDate: string | null;
  sessionTime: string | null;
  sharepointId: string | null;
  title: string;
  trainingDeliveryMode: string | null;
  updatedAt: Generated<Timestamp>;
  weekNumber: number;
}

export interface UploadsByDayTable {
  bytes: number;
  day: string;
  files: number;
  ownerId: string;
}

export interface UserCoursesTable {
  coachId: string | null;
  courseId: string;
  startDate: Generated<string>;
  status: Generated<string>;
  userId: string;
}

export interface UserFilesTable {
  displayName: string;
  filePath: string;
  id: Generated<string>;
  mimeType: string;
  size: number;
  uploadDate: Generated<Timestamp>;
  userId: string;
}

export interface WeeklyAttendanceTable {
  activitiesAccessed: number | null;
  activitiesTotal: number | null;
  attendancePercentage: number | null;
  cohortId: string | null;
  fellowId: string | null;
  weekNumber: number | null;
}

export interface WeeklyRequirementsTable {
  calendarSequence: Generated<number>;
  cohortId: string;
  dueDate: string;
  id: Generated<string>;
  orderIndex: Generated<number>;
  title: string;
  type: string;
  updatedAt: Generated<Timestamp>;
  weekNumber: number | null;
}

export interface AuthAccountTable {
  accountId: string;
  createdAt: Generated<Timestamp>;
  id: Generated<string>;
  mustBeChanged: Generated<boolean>;
  password: string | null;
  providerId: string;
  updatedAt: Generated<Timestamp>;
  userId: string;
}

export interface AuthDeviceTable {
  createdAt: Generated<Timestamp>;
  id: Generated<string>;
  ipAddress: string | null;
  lastUsedAt: Generated<Timestamp>;
  rememberedUntil: Timestamp | null;
  tokenHash: string;
  userAgent: string | null;
  userId: string;
}

export interface AuthFirstAdminTokenTable {
  createdAt: Generated<Timestamp>;
  tokenHash: string;
}

export interface AuthJwksTable {
  alg: string | null;
  createdAt: Generated<Timestamp>;
  crv: string | null;
  expiresAt: Timestamp | null;
  id: Generated<string>;
  privateKey: string;
  publicKey: string;
}

export interface AuthMailedCodeTable {
  codeHash: string;
  expiresAt: Timestamp;
  tries: Generated<number>;
  userId: string;
}

export interface AuthPasskeyTable {
  counter: Generated<number>;
  createdAt: Generated<Timestamp>;
  credentialId: string;
  id: Generated<string>;
  lastUsedAt: Timestamp | null;
  name: string;
  publicKey: Buffer;
  transports: Generated<string[]>;
  userId: string;
}

export interface AuthPasswordLinkTable {
  createdAt: Generated<Timestamp>;
  expiresAt: Timestamp;
  invitationId: string | null;
  kind: string;
  tokenHash: string;
  userId: string;
}

export interface AuthRateLimitTable {
  count: number;
  key: string;
  windowEndsAt: Timestamp;
  windowStartedAt: Timestamp;
}

export interface AuthRecoveryCodeTable {
  codeHash: string;
  secretSign: string | null;
  usedAt: Timestamp | null;
  userId: string;
}

export interface AuthSecondFactorTable {
  confirmedAt: Timestamp | null;
  createdAt: Generated<Timestamp>;
  encryptedSecret: string;
  lastStep: number | null;
  userId: string;
}

export interface AuthSessionTable {
  assuranceLevel: Generated<string>;
  createdAt: Generated<Timestamp>;
  deviceId: string | null;
  endsForGoodAt: Generated<Timestamp>;
  expiresAt: Timestamp;
  id: Generated<string>;
  ipAddress: string | null;
  isDeviceRemembered: Generated<boolean>;
  provedAt: Generated<Timestamp>;
  provedBy: string | null;
  token: string;
  updatedAt: Generated<Timestamp>;
  userAgent: string | null;
  userId: string;
}

export interface AuthSignInPolicyTable {
  adminsAskedSince: Timestamp | null;
  changedAt: Generated<Timestamp>;
  changedBy: string | null;
  isOnlyRow: Generated<boolean>;
  secondFactorRoles: Generated<string[]>;
}

export interface AuthSignInRecordTable {
  at: Generated<Timestamp>;
  id: Generated<string>;
  ipAddress: string | null;
  kind: string;
  userAgent: string | null;
  userId: string | null;
  way: string | null;
}

export interface AuthUnlinkedIdentityTable {
  accountId: string;
  providerId: string;
  unlinkedAt: Generated<Timestamp>;
  userId: string;
}

export interface AuthUserTable {
  createdAt: Generated<Timestamp>;
  email: string;
  emailVerified: Generated<boolean>;
  firstName: Generated<string>;
  id: Generated<string>;
  lastName: Generated<string>;
  name: string;
  requestedRole: string | null;
  trackType: string | null;
  updatedAt: Generated<Timestamp>;
}

export interface AuthVerificationTable {
  createdAt: Generated<Timestamp>;
  expiresAt: Timestamp;
  id: Generated<string>;
  identifier: string;
  updatedAt: Generated<Timestamp>;
  value: string;
}

export interface DB {
  adminGrants: AdminGrantsTable;
  assignmentDrafts: AssignmentDraftsTable;
  attendanceCorrections: AttendanceCorrectionsTable;
  attendanceRecords: AttendanceRecordsTable;
  attendanceRemovals: AttendanceRemovalsTable;
  auditLog: AuditLogTable;
  backups: BackupsTable;
  bulkImportRows: BulkImportRowsTable;
  bulkImports: BulkImportsTable;
  calendarFeeds: CalendarFeedsTable;
  coachAvailability: CoachAvailabilityTable;
  coachLeave: CoachLeaveTable;
  coachMessages: CoachMessagesTable;
  coachingSessions: CoachingSessionsTable;
  cohortCalendars: CohortCalendarsTable;
  cohortParticipants: CohortParticipantsTable;
  cohorts: CohortsTable;
  contentAssignments: ContentAssignmentsTable;
  contentEvaluations: ContentEvaluationsTable;
  contentItems: ContentItemsTable;
  contentSubmissions: ContentSubmissionsTable;
  contentTicks: ContentTicksTable;
  conversationOpenings: ConversationOpeningsTable;
  countedAnew: CountedAnewTable;
  courseModules: CourseModulesTable;
  courses: CoursesTable;
  deliveries: DeliveriesTable;
  excusedAbsences: ExcusedAbsencesTable;
  factChanges: FactChangesTable;
  formerPushKeys: FormerPushKeysTable;
  inspections: InspectionsTable;
  invitations: InvitationsTable;
  lastMessages: LastMessagesTable;
  lastSignIns: LastSignInsTable;
  ledgerVerifications: LedgerVerificationsTable;
  newAdmins: NewAdminsTable;
  noticeEvents: NoticeEventsTable;
  notices: NoticesTable;
  notificationPreferences: NotificationPreferencesTable;
  participantModuleCompletions: ParticipantModuleCompletionsTable;
  participantProgress: ParticipantProgressTable;
  performanceFeedback: PerformanceFeedbackTable;
  personNotes: PersonNotesTable;
  profiles: ProfilesTable;
  programmeAudiences: ProgrammeAudiencesTable;
  programmeCopies: ProgrammeCopiesTable;
  programmes: ProgrammesTable;
  pushKeys: PushKeysTable;
  pushSubscriptions: PushSubscriptionsTable;
  readinessChecks: ReadinessChecksTable;
  resources: ResourcesTable;
  reviewClaims: ReviewClaimsTable;
  reviewCorrections: ReviewCorrectionsTable;
  reviewDrafts: ReviewDraftsTable;
  reviewRetractions: ReviewRetractionsTable;
  ruleSets: RuleSetsTable;
  savedComments: SavedCommentsTable;
  savedFilters: SavedFiltersTable;
  specializationTracks: SpecializationTracksTable;
  standingPaymentParts: StandingPaymentPartsTable;
  stipendBalances: StipendBalancesTable;
  stipendConfirmationRows: StipendConfirmationRowsTable;
  stipendConfirmations: StipendConfirmationsTable;
  stipendEligibility: StipendEligibilityTable;
  stipendHandoverRows: StipendHandoverRowsTable;
  stipendHandoverTries: StipendHandoverTriesTable;
  stipendHandovers: StipendHandoversTable;
  stipendLedger: StipendLedgerTable;
  stipendOutlooks: StipendOutlooksTable;
  stipendPaymentParts: StipendPaymentPartsTable;
  stipendPaymentReversals: StipendPaymentReversalsTable;
  stipendPayments: StipendPaymentsTable;
  stipendQuestions: StipendQuestionsTable;
  storedFiles: StoredFilesTable;
  submissionRounds: SubmissionRoundsTable;
  tallies: TalliesTable;
  trackSelections: TrackSelectionsTable;
  trainingActivities: TrainingActivitiesTable;
  uploadsByDay: UploadsByDayTable;
  userCourses: UserCoursesTable;
  userFiles: UserFilesTable;
  weeklyAttendance: WeeklyAttendanceTable;
  weeklyRequirements: WeeklyRequirementsTable;
  'auth.account': AuthAccountTable;
  'auth.device': AuthDeviceTable;
  'auth.firstAdminToken': AuthFirstAdminTokenTable;
  'auth.jwks': AuthJwksTable;
  'auth.mailedCode': AuthMailedCodeTable;
  'auth.passkey': AuthPasskeyTable;
  'auth.passwordLink': AuthPasswordLinkTable;
  'auth.rateLimit': AuthRateLimitTable;
  'auth.recoveryCode': AuthRecoveryCodeTable;
  'auth.secondFactor': AuthSecondFactorTable;
  'auth.session': AuthSessionTable;
  'auth.signInPolicy': AuthSignInPolicyTable;
  'auth.signInRecord': AuthSignInRecordTable;
  'auth.unlinkedIdentity': AuthUnlinkedIdentityTable;
  'auth.user': AuthUserTable;
  'auth.verification': AuthVerificationTable;
}

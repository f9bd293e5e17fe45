import type { Act } from './learning-acts.ts';
import * as learning from './learning-acts.ts';
import * as money from './money-acts.ts';
import type { ActName } from './plan.ts';

export const acts: Record<ActName, Act> = {
  attend: learning.attend,
  handIn: learning.handIn,
  review: learning.review,
  message: learning.message,
  book: learning.book,
  moveSession: learning.move,
  withdrawSession: learning.withdraw,
  cancelSession: learning.cancel,
  closeSession: learning.close,
  offerTimes: learning.offerTimes,
  rate: learning.rate,
  excuse: learning.excuse,
  correctAttendance: learning.correct,
  upload: learning.upload,
  note: money.note,
  processWeek: money.processWeek,
  approve: money.approve,
  deny: money.deny,
  approveWeek: money.approveAll,
  changeAmount: money.changeAmount,
  approveAmount: money.approveAmount,
  handOver: money.handOver,
  confirm: money.confirm,
  recall: money.recall,
  markPaid: money.markPaid,
  takePaymentBack: money.takeBack,
  createAdmin: money.createAccount,
};

import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { markConversationRead, sendMessage } from '#server/features/messages/messages.ts';
import { now, standingAt } from '#server/platform/clock.ts';
import { easternTimeSoFar } from './past.ts';
import type { DemoFellow } from './people.ts';

type Line = [from: 'coach' | 'fellow', daysAgo: number, time: string, text: string];

/** The first conversation is with the demo's participant. A message without an answer is unread. */
const conversations: Line[][] = [
  [
    ['coach', 27, '09:10', 'Welcome to the fellowship, Jordan! Write to me whenever something is in your way.'],
    ['fellow', 27, '18:42', 'Thank you! The first lab was great. Is there a recording of the safety part?'],
    ['coach', 26, '08:55', 'Yes: Resources, “How the Grid Works, recording of week 1”.'],
    ['fellow', 9, '20:05', 'I am stuck with the job safety analysis. Eight steps seem a lot for one transformer.'],
    ['coach', 8, '09:30', 'Start with what you do before you touch anything; you will have four steps already.'],
    ['fellow', 8, '21:17', 'That helped. Handing it in now.'],
    [
      'coach',
      2,
      '16:20',
      'I left feedback on the job safety analysis: two controls are missing. You can hand it in again.',
    ],
    ['coach', 0, '08:05', 'See you in our next session. Bring the revised version if you can!'],
  ],
  [
    ['fellow', 6, '12:15', 'Could we talk about the interview with the utility?'],
    ['coach', 6, '14:02', 'Gladly. Please book a slot for next week.'],
    ['fellow', 0, '07:35', 'Booked. I have two offers to compare, which is a nice problem to have.'],
  ],
  [
    ['coach', 4, '10:00', 'You were missed in the lab. Is everything all right?'],
    ['fellow', 1, '19:48', 'My bus line was cut. Can I make up for it on Friday?'],
    ['fellow', 1, '19:50', 'I can also come at seven in the morning.'],
  ],
  [
    ['coach', 12, '09:00', 'Your substation report was the best of the week.'],
    ['fellow', 12, '09:40', 'That means a lot, thank you.'],
  ],
  [['fellow', 0, '06:50', 'Good morning! Which certificate should I take first, OSHA 10 or NABCEP?']],
];

export async function fillMessages(db: Db, fellows: DemoFellow[]): Promise<void> {
  const own = fellows.filter(({ coach }) => coach.id === fellows[0]?.coach.id);
  const others = fellows.filter(({ coach }) => coach.id !== fellows[0]?.coach.id);
  for (const [index, conversation] of conversations.entries()) {
    for (const fellow of [own[index], index === 0 ? undefined : others[index]]) {
      if (fellow) await converse(db, fellow, conversation);
    }
  }
}

/** A person who writes has read everything before it. */
async function converse(db: Db, fellow: DemoFellow, conversation: Line[]): Promise<void> {
  const today = dayAt(now(), houseZone);
  for (const [from, daysAgo, time, text] of conversation) {
    const [sender, recipient] = from === 'coach' ? [fellow.coach, fellow] : [fellow, fellow.coach];
    await standingAt(easternTimeSoFar(addDays(today, -daysAgo), time), async () => {
      await markConversationRead(db, sender, recipient.id);
      await sendMessage(db, sender, { recipientId: recipient.id, text });
    });
  }
}

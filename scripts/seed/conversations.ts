/** `{name}` is the participant's first name. */
export type Line = [from: 'coach' | 'fellow', dayOfConversation: number, time: string, text: string];

export const conversations: Line[][] = [
  [
    ['coach', 0, '09:10', 'Welcome to the fellowship, {name}! Write to me whenever something is in your way.'],
    ['fellow', 0, '18:42', 'Thank you! The first lab was great. Is there a recording of the safety part?'],
    ['coach', 1, '08:55', 'Yes: you find it under Resources.'],
  ],
  [
    ['fellow', 0, '20:05', 'I am stuck with the assignment. Eight steps seem a lot for one transformer.'],
    ['coach', 1, '09:30', 'Start with what you do before you touch anything; you will have four steps already.'],
    ['fellow', 1, '21:17', 'That helped. Handing it in now.'],
    ['coach', 4, '16:20', 'I left feedback: two controls are missing. You can hand it in again.'],
  ],
  [
    ['fellow', 0, '12:15', 'Could we talk about the interview with the utility?'],
    ['coach', 0, '14:02', 'Gladly. Please book a slot for next week.'],
    ['fellow', 3, '07:35', 'Booked. I have two offers to compare, which is a nice problem to have.'],
  ],
  [
    ['coach', 0, '10:00', 'You were missed in the lab, {name}. Is everything all right?'],
    ['fellow', 0, '19:48', 'My bus line was cut. Can I make up for it on Friday?'],
    ['fellow', 0, '19:50', 'I can also come at seven in the morning.'],
    ['coach', 1, '08:20', 'Friday at nine works. Ask for Denise at the front desk.'],
  ],
  [
    ['coach', 0, '09:00', 'Your report was the best of the week. May I show it to the others, without your name?'],
    ['fellow', 0, '09:40', 'That means a lot, thank you. Yes, of course!'],
  ],
  [
    ['fellow', 0, '06:50', 'Good morning! Which certificate should I take first, OSHA 10 or NABCEP?'],
    ['coach', 0, '11:25', 'OSHA 10. It is two days, and every employer on our list asks for it.'],
    ['fellow', 0, '11:41', '👍'],
  ],
  [
    ['fellow', 0, '15:12', 'My stipend of last week shows as pending. Do I have to do anything?'],
    ['coach', 0, '16:44', 'No. It is decided on Wednesday, and paid by the end of the week.'],
    ['fellow', 2, '18:05', 'It came today. Thanks!'],
  ],
  [
    ['coach', 0, '13:30', 'Reminder: safety shoes on Thursday, please. The center has spare ones up to size 13.'],
    ['fellow', 0, '13:58', 'Mine are size 14, I bring my own.'],
  ],
  [
    ['fellow', 0, '21:03', 'Sorry for writing so late. My daughter is sick and I cannot come tomorrow.'],
    [
      'coach',
      1,
      '07:45',
      'No problem at all, get well soon. The live session is recorded; tick it off once you have seen it.',
    ],
    ['fellow', 1, '08:10', 'Thank you so much.'],
    ['coach', 5, '09:15', 'How is she? And did you get to the exercise?'],
  ],
  [
    ['coach', 0, '15:05', 'The control center opened three trainee positions today. I think you should apply.'],
    ['fellow', 0, '17:22', 'Me? They ask for two years of experience.'],
    [
      'coach',
      0,
      '17:30',
      'They ask for two years *or* a completed fellowship. Send me your résumé and we go through it.',
    ],
    ['fellow', 2, '22:48', 'Here it is. I put the capstone first.'],
  ],
];

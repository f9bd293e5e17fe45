import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { listStipendWeeksOf } from '#contract/stipend-weeks.ts';
import { isMissing } from '../../api/api-error.ts';
import { pagesFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { paths } from '../../app/paths.ts';
import { NotFound } from '../../ui/NotFound.tsx';
import { whyNotThere } from '../../ui/not-there.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StipendWeekList } from './StipendWeekList.tsx';

const listOfAdmins = { to: paths.stipendManagement, label: 'Go to Stipend Management' };
const listOfCoaches = { to: paths.cohortProgress, label: 'Go to Cohort Progress' };

/** What does this participant see of their stipends? Their coach and admins read it here. */
export function ParticipantStipendsPage() {
  const { participantId = '' } = useParams({ strict: false });
  const { role } = useSignedInUser();
  const list = useInfiniteQuery(pagesFor(listStipendWeeksOf, { params: { id: participantId }, query: {} }));
  if (!list.data && isMissing(list.error)) {
    return (
      <NotFound thing="Participant" back={role === 'admin' ? listOfAdmins : listOfCoaches}>
        {whyNotThere(role, 'This participant', 'is not someone you work with')}
      </NotFound>
    );
  }
  const person = list.data?.pages[0]?.person;
  return (
    <>
      <PageHeader
        title={person ? `Stipends of ${person.name}` : 'Stipends'}
        lead="Every week as the participant sees it."
      >
        <Button component={Link} to={paths.person(participantId)} variant="default">
          {person ? `${person.name}'s page` : 'Their page'}
        </Button>
      </PageHeader>
      <StipendWeekList list={list} />
    </>
  );
}

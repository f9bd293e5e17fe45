import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { readPerson } from '#contract/people.ts';
import { isMissing } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { paths } from '../../app/paths.ts';
import { counted } from '../../ui/counted.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { whyNotThere } from '../../ui/not-there.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RowEditButtons } from '../../ui/RowEditButtons.tsx';
import { useAskedDialog } from '../../ui/use-asked-dialog.ts';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { type AskedAct, UserActDialogs } from '../users/UserActDialogs.tsx';
import { UserActions } from '../users/UserActions.tsx';
import { PersonEditor, RoleEditor } from '../users/UserEditor.tsx';
import { useUserEdit } from '../users/use-user-edit.ts';
import { kindOf, nameOf, roleNames } from '../users/user-words.ts';
import { PersonFacts } from './PersonFacts.tsx';
import { PersonHistory } from './PersonHistory.tsx';
import { PersonNotes } from './PersonNotes.tsx';
import classes from './PersonPage.module.css';
import { PersonStanding } from './PersonStanding.tsx';

type Read = ResponseOf<typeof readPerson>;

const listOfAdmins = { to: paths.userManagement, label: 'Go to User Management' };
const listOfCoaches = { to: paths.cohortProgress, label: 'Go to Cohort Progress' };

/** How does this person stand, what happened, and what can I do for them? */
export function PersonPage() {
  const { personId = '' } = useParams({ strict: false });
  const { role } = useSignedInUser();
  const read = useQuery(queryFor(readPerson, { params: { id: personId } }));
  if (read.data) return <Person key={personId} read={read.data} />;
  if (isMissing(read.error)) {
    return (
      <NotFound thing="Person" back={role === 'admin' ? listOfAdmins : listOfCoaches}>
        {whyNotThere(role, 'This person', 'is not someone you work with')}
      </NotFound>
    );
  }
  return (
    <>
      <PageHeader title="Person" />
      <Loaded read={read} failure="This person could not be loaded" loading={{ label: 'Loading the person', rows: 8 }}>
        {() => null}
      </Loaded>
    </>
  );
}

function Person({ read: { person, standing, can } }: { read: Read }) {
  const navigate = useNavigate();
  const { id: ownId } = useSignedInUser();
  const [asked, setAsked] = useState<AskedAct | null>(null);
  const edit = useUserEdit();
  const { afterAsking, question } = useUnsavedChanges(edit.isDirty);
  const name = nameOf(person);
  const enroll = () => setAsked({ act: 'enrol', user: person });
  useAskedDialog('enroll', () => {
    if (person.can.enrol) enroll();
  });
  return (
    <>
      <PageHeader title={name} lead={leadOf(person)}>
        {can.message ? (
          <Button
            leftSection={<MessageSquare size={16} aria-hidden />}
            renderRoot={(props) => <Link {...props} to={paths.messages} search={{ with: person.id }} />}
          >
            Send a message
          </Button>
        ) : null}
        {person.can.enrol ? (
          <Button variant="default" size="compact-sm" onClick={enroll}>
            Enroll in a cohort
          </Button>
        ) : null}
        {can.manage ? (
          <UserActions
            user={person}
            isOwn={person.id === ownId}
            onEdit={(user) => afterAsking(() => edit.begin(user))}
            onAct={(act, user) => setAsked({ act, user })}
          />
        ) : null}
      </PageHeader>
      {edit.base ? (
        <Card component="section" aria-label={`Edit ${name}`} mb="md">
          <Group align="flex-start" gap="lg" mb="md">
            <PersonEditor edit={edit} onLeave={() => afterAsking(edit.cancel)} />
            <RoleEditor edit={edit} />
          </Group>
          <RowEditButtons edit={edit} />
        </Card>
      ) : null}
      <div className={classes.parts}>
        <div className={classes.standing}>
          {standing ? <PersonStanding personId={person.id} standing={standing} /> : <NoStanding person={person} />}
        </div>
        <Stack gap="md" className={classes.side}>
          <PersonFacts person={person} />
          {can.readNotes ? <PersonNotes personId={person.id} name={person.firstName} /> : null}
        </Stack>
        <div className={classes.history}>
          <PersonHistory personId={person.id} />
        </div>
      </div>
      <UserActDialogs
        asked={asked}
        onClose={() => setAsked(null)}
        onDeleted={() => void navigate({ to: paths.userManagement })}
      />
      {question}
    </>
  );
}

function NoStanding({ person: { role, firstName } }: { person: Read['person'] }) {
  if (role !== 'participant') return null;
  return (
    <Card>
      <Text>{firstName} is in no cohort, so there is nothing to judge yet.</Text>
    </Card>
  );
}

function leadOf(person: Read['person']): string {
  const { role, trackType, coachedCount } = person;
  if (role === 'coach') return `${roleNames.coach}, ${counted(coachedCount, 'participant')}`;
  return [roleNames[role], ...(trackType ? [kindOf(person)] : [])].join(', ');
}

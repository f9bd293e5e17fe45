import { Anchor, Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type MemberProgress, readMemberProgress } from '#contract/cohort-progress.ts';
import type { ModuleState } from '#contract/fellowship.ts';
import { programmeStanding } from '#contract/standing.ts';
import { queryFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { LockTrack } from './LockTrack.tsx';
import { ModuleCompletionForm } from './ModuleCompletionForm.tsx';
import { ModuleList } from './ModuleList.tsx';

interface MemberProgressDialogProps {
  cohortId: string | undefined;
  participantId: string | undefined;
  onClose: () => void;
}

/** One member's track and modules. A reviewer sets the modules by hand here (TRACK-16). */
export function MemberProgressDialog({ cohortId, participantId, onClose }: MemberProgressDialogProps) {
  const isOpen = cohortId !== undefined && participantId !== undefined;
  const member = useQuery({
    ...queryFor(readMemberProgress, { params: { id: cohortId ?? '', participantId: participantId ?? '' } }),
    enabled: isOpen,
  });
  const [isTyped, setTyped] = useState(false);
  // A change of the address closes the dialog. The question comes before that.
  const { closing, question } = useUnsavedChanges(isOpen && isTyped, {
    isKept: (from, to) => from.pathname === to.pathname,
  });
  const title = member.data ? `${member.data.firstName} ${member.data.lastName}` : 'Progress';
  return (
    <>
      <Modal opened={isOpen} {...closing(onClose)} title={title} size="lg" styles={{ title: { fontWeight: 650 } }}>
        <Loaded
          read={member}
          failure="The progress could not be loaded"
          loading={{ label: 'Loading the modules', rows: 6 }}
        >
          {(member) => (cohortId ? <Member cohortId={cohortId} member={member} onTyped={setTyped} /> : null)}
        </Loaded>
      </Modal>
      {question}
    </>
  );
}

interface MemberProps {
  cohortId: string;
  member: MemberProgress;
  onTyped: (isTyped: boolean) => void;
}

function Member({ cohortId, member, onTyped }: MemberProps) {
  const [opened, setOpened] = useState<string | null>(null);
  const { participantId, progress, modules, can } = member;
  const standing = programmeStanding(progress);
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <StatusBadge tone={standing.color}>{standing.label}</StatusBadge>
        <Text>
          {member.cohortName}: {standing.sentence}
        </Text>
        <Anchor component={Link} to={paths.person(participantId)} size="sm">
          Their page
        </Anchor>
      </Group>
      <Stack component="section" gap="sm" aria-labelledby="member-modules">
        <Title order={3} id="member-modules">
          Modules
        </Title>
        {modules.length === 0 ? <Text c="dimmed">The modules of the curriculum are not set up yet.</Text> : null}
        <ModuleList
          modules={modules}
          action={(module) =>
            can.setModules && offersSetting(module) && opened !== module.id ? (
              <Button
                variant="default"
                size="xs"
                style={{ flexShrink: 0 }}
                onClick={() => setOpened(module.id)}
                aria-label={`${module.byHand ? 'Take back' : 'Set as complete'}: ${module.title}`}
              >
                {module.byHand ? 'Take back' : 'Set as complete'}
              </Button>
            ) : null
          }
          below={(module) =>
            opened === module.id ? (
              <ModuleCompletionForm
                member={{ cohortId, participantId }}
                module={module}
                onTyped={onTyped}
                onClose={() => setOpened(null)}
              />
            ) : null
          }
        />
      </Stack>
      <Track member={member} />
    </Stack>
  );
}

/** A module that attendance or accepted work completed is not set by hand. */
function offersSetting({ isCompleted, byHand }: ModuleState): boolean {
  return !isCompleted || byHand !== null;
}

function Track({ member: { selection, can } }: { member: MemberProgress }) {
  return (
    <Stack component="section" gap="sm" aria-labelledby="member-track">
      <Title order={3} id="member-track">
        Specialization track
      </Title>
      {selection ? (
        <Group justify="space-between" gap="sm">
          <Text>
            {selection.track.name}, {selection.isLocked ? 'locked' : 'not locked yet'}
          </Text>
          {can.lockTrack ? <LockTrack selection={selection} /> : null}
        </Group>
      ) : (
        <Text c="dimmed">None chosen yet.</Text>
      )}
      {selection?.notes ? (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          Notes: {selection.notes}
        </Text>
      ) : null}
    </Stack>
  );
}

import { Alert, Box, Button, CopyButton, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, Check, Copy, ExternalLink, Info } from 'lucide-react';
import { useRef, useState } from 'react';
import type { CalendarFeed } from '#contract/calendar-feeds.ts';
import { makeCalendarFeed, readCalendarFeed, renewCalendarFeed, stopCalendarFeed } from '#contract/calendar-feeds.ts';
import { queryClient, queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { formatDateTime } from '../../ui/dates.ts';
import { Loaded } from '../../ui/Loaded.tsx';

interface CalendarSubscriptionProps {
  isOpen: boolean;
  onClose: () => void;
}

const showFeed = (feed: CalendarFeed | null) => queryClient.setQueryData(queryFor(readCalendarFeed).queryKey, { feed });

/** Shows a person's own calendar in the calendar program that they use anyway. */
export function CalendarSubscription({ isOpen, onClose }: CalendarSubscriptionProps) {
  const [asked, setAsked] = useState<'renew' | 'stop' | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const answer = (feed: CalendarFeed | null) => {
    showFeed(feed);
    setAsked(null);
  };
  const renew = useAction(renewCalendarFeed, {
    onSuccess: answer,
    success: 'New Calendar Address',
    failureTitle: 'The address was not renewed',
  });
  const stop = useAction(stopCalendarFeed, {
    onSuccess: () => answer(null),
    success: 'Calendar Address Removed',
    failureTitle: 'The address was not removed',
  });
  return (
    <>
      <Modal
        opened={isOpen && asked === null}
        onClose={onClose}
        title="Subscribe to your calendar"
        size="lg"
        returnFocus={false}
      >
        <Box ref={frame} tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
          <Subscription
            onMade={() => frame.current?.focus()}
            onRenew={() => setAsked('renew')}
            onStop={() => setAsked('stop')}
          />
        </Box>
      </Modal>
      <ConfirmDialog
        isOpen={isOpen && asked === 'renew'}
        title="Make a new calendar address?"
        confirmLabel="Make new address"
        isRunning={renew.isRunning}
        onConfirm={() => renew.run({})}
        onClose={() => setAsked(null)}
      >
        The current address stops at once. Calendar apps that use it show nothing new until you give them the new one.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={isOpen && asked === 'stop'}
        title="Remove your calendar address?"
        confirmLabel="Remove address"
        isDestructive
        isRunning={stop.isRunning}
        onConfirm={() => stop.run({})}
        onClose={() => setAsked(null)}
      >
        Calendar apps that use it will show nothing new. You can make another address at any time.
      </ConfirmDialog>
    </>
  );
}

interface SubscriptionProps {
  /** The button that made the address is gone when this runs. */
  onMade: () => void;
  onRenew: () => void;
  onStop: () => void;
}

function Subscription({ onMade, onRenew, onStop }: SubscriptionProps) {
  const read = useQuery(queryFor(readCalendarFeed));
  return (
    <Loaded
      read={read}
      failure="Failed to load your calendar address"
      loading={{ label: 'Loading your calendar address', rows: 3 }}
    >
      {({ feed }) => (feed ? <Address feed={feed} onRenew={onRenew} onStop={onStop} /> : <NoAddress onMade={onMade} />)}
    </Loaded>
  );
}

function NoAddress({ onMade }: Pick<SubscriptionProps, 'onMade'>) {
  const make = useAction(makeCalendarFeed, {
    onSuccess: (feed) => {
      showFeed(feed);
      onMade();
    },
    failureTitle: 'The address was not made',
  });
  return (
    <Stack gap="md" align="flex-start">
      <Text>
        See your activities, deadlines and coaching sessions in Google Calendar, Apple Calendar or Outlook. Changes
        appear there by themselves, usually within a few hours.
      </Text>
      <Button
        leftSection={<CalendarPlus size={16} aria-hidden />}
        onClick={() => make.run({})}
        loading={make.isRunning}
      >
        Make my calendar address
      </Button>
    </Stack>
  );
}

interface AddressProps {
  feed: CalendarFeed;
  onRenew: () => void;
  onStop: () => void;
}

function Address({ feed: { address, lastReadAt }, onRenew, onStop }: AddressProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Your calendar address"
        description={
          lastReadAt ? `Last read by a calendar app ${formatDateTime(lastReadAt)}` : 'No calendar app has read it yet'
        }
        value={address}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group gap="sm">
        <CopyButton value={address}>
          {({ copied, copy }) => (
            <Button
              onClick={copy}
              leftSection={copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
            >
              {copied ? 'Copied' : 'Copy address'}
            </Button>
          )}
        </CopyButton>
        <Button
          component="a"
          href={address.replace(/^https?:/, 'webcal:')}
          variant="default"
          leftSection={<ExternalLink size={16} aria-hidden />}
        >
          Open in calendar app
        </Button>
      </Group>
      <List size="sm" spacing={4}>
        <List.Item>
          <b>Google Calendar:</b> Other calendars, +, From URL, and paste the address.
        </List.Item>
        <List.Item>
          <b>Apple Calendar:</b> File, New Calendar Subscription; on a phone the button above does it.
        </List.Item>
        <List.Item>
          <b>Outlook:</b> Add calendar, Subscribe from web, and paste the address.
        </List.Item>
      </List>
      <Alert color="gray" icon={<Info size={18} aria-hidden />} title="Anyone with this address can read your calendar">
        Keep it to yourself. If somebody else may have it, make a new one: this one then stops. It also stops when you
        reset your password or end all your other sessions.
      </Alert>
      <Group gap="sm">
        <Button variant="default" onClick={onRenew}>
          Make a new address
        </Button>
        <Button variant="default" onClick={onStop}>
          Remove address
        </Button>
      </Group>
    </Stack>
  );
}

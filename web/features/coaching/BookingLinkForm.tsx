import { Button, Card, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { Copy, ExternalLink } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { bookingLinkProblem } from '#contract/booking-links.ts';
import { readBookingSetup, saveBookingSetup } from '#contract/booking-setup.ts';
import type { InputOf, ResponseOf } from '#contract/endpoint.ts';
import { isSignedOut, messageOf } from '../../api/api-error.ts';
import { queryClient, queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { LongText, WholeLine } from '../../ui/LongText.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { showToast } from '../../ui/toast.tsx';
import { useTellUnsaved } from '../../ui/use-unsaved-parts.ts';

type Setup = ResponseOf<typeof readBookingSetup>;
type Sent = InputOf<typeof saveBookingSetup>['body'];

interface BookingLinkFormProps {
  stored: Setup;
  tellUnsaved: (part: string, isUnsaved: boolean) => void;
}

const testSpinnerInMs = 2000;

/** COACH-17 to COACH-28 */
export function BookingLinkForm({ stored, tellUnsaved }: BookingLinkFormProps) {
  const [draft, setDraft] = useState<Partial<Setup>>({});
  const { schedulingEnabled, schedulingLink, instructions } = { ...stored, ...draft };
  const link = schedulingLink ?? '';
  const problem = schedulingEnabled ? bookingLinkProblem(link) : null;
  const save = useAction(saveBookingSetup, {
    success: 'Settings Saved',
    onSuccess: (saved, { body }) => {
      queryClient.setQueryData(queryFor(readBookingSetup).queryKey, saved);
      setDraft((typed) => withoutSame(typed, body));
    },
    onError: tellWhySaveFailed,
  });
  useTellUnsaved(tellUnsaved, 'link', Object.keys(withoutSame(draft, stored)).length > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem) return tellInvalid(problem);
    save.run({ body: { schedulingEnabled, schedulingLink: link.trim() || null, instructions: instructions ?? null } });
  };
  return (
    <Card component="section" aria-labelledby="booking-link">
      {/* Its button or Enter in the address saves. A disabled submit button would keep Enter from saying why. */}
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <div>
            <Title order={2} id="booking-link">
              External booking page
            </Title>
            <Text size="sm" c="dimmed">
              Participants open it in a new tab. They can also book the times you offer below.
            </Text>
          </div>
          <Switch
            label="Enable scheduling"
            checked={schedulingEnabled}
            onChange={({ currentTarget }) => setDraft({ ...draft, schedulingEnabled: currentTarget.checked })}
          />
          <WholeLine
            label="Booking URL"
            maxLength={limitOf(saveBookingSetup.body, 'schedulingLink')}
            placeholder="https://calendly.com/your-name"
            type="url"
            inputMode="url"
            autoComplete="off"
            disabled={!schedulingEnabled}
            value={link}
            error={problem}
            onChange={({ currentTarget }) => setDraft({ ...draft, schedulingLink: currentTarget.value })}
          />
          <LongText
            label="Instructions"
            description="Shown to participants beside the link."
            autosize
            minRows={2}
            maxRows={8}
            maxLength={limitOf(saveBookingSetup.body, 'instructions')}
            value={instructions ?? ''}
            onChange={({ currentTarget }) => setDraft({ ...draft, instructions: currentTarget.value })}
          />
          <Group gap="sm">
            <TestLink link={link} isEnabled={schedulingEnabled} />
            <Button
              variant="default"
              leftSection={<Copy size={15} aria-hidden />}
              disabled={link.trim() === ''}
              onClick={() => void copy(link.trim())}
            >
              Copy link
            </Button>
            <Button
              disabled={problem !== null}
              loading={save.isRunning}
              onClick={({ currentTarget }) => currentTarget.form?.requestSubmit()}
            >
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** Keeps only the typed fields that differ from what is known. */
function withoutSame(typed: Partial<Setup>, known: Sent): Partial<Setup> {
  const differing = Object.entries(typed).filter(
    ([field, value]) => plain(value) !== plain(known[field as keyof Sent]),
  );
  return Object.fromEntries(differing);
}

/** An empty field is stored as null. */
function plain(value: string | boolean | null): string | boolean | null {
  return typeof value === 'string' ? value.trim() || null : value;
}

/** COACH-18: the browser opens the link. The server never fetches it. */
function TestLink({ link, isEnabled }: { link: string; isEnabled: boolean }) {
  const [isTesting, setTesting] = useState(false);
  useEffect(() => {
    if (!isTesting) return;
    const timer = setTimeout(() => setTesting(false), testSpinnerInMs);
    return () => clearTimeout(timer);
  }, [isTesting]);
  const test = () => {
    const problem = bookingLinkProblem(link);
    if (problem) return tellInvalid(problem);
    setTesting(true);
    window.open(link.trim(), '_blank', 'noopener,noreferrer');
  };
  return (
    <Button
      variant="default"
      leftSection={<ExternalLink size={15} aria-hidden />}
      disabled={!isEnabled}
      loading={isTesting}
      onClick={test}
    >
      Test link
    </Button>
  );
}

/** COACH-27 */
function tellInvalid(message: string): void {
  showToast({ type: 'error', title: 'Invalid URL', message });
}

async function copy(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    showToast({ type: 'success', title: 'Copied' });
  } catch (error) {
    showToast({ type: 'error', title: 'Copy failed', message: messageOf(error) });
  }
}

/** COACH-19, COACH-28 */
function tellWhySaveFailed(error: unknown): void {
  if (isSignedOut(error)) {
    const message = 'User session not found. Please refresh and try again.';
    showToast({ type: 'error', title: 'Authentication Error', message });
  } else {
    showToast({ type: 'error', title: 'Save Failed', message: messageOf(error) });
  }
}

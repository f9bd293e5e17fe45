import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import {
  linkWallet,
  listWaysIn,
  requestWalletLink,
  startProviderLink,
  unlinkIdentity,
  type WaysIn,
} from '#contract/identities.ts';
import { SignInProvider } from '#contract/sign-in-ways.ts';
import { call } from '../../../api/call.ts';
import { queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { formatDay } from '../../../ui/dates.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { ProviderNews } from './OtherWays.tsx';
import { Passkeys } from './Passkeys.tsx';
import { useDeviceAct } from './use-device-act.ts';
import { findWallet, signWithWallet, walletAddress } from './wallet.ts';

/** AUTH-64: the ways beside the password that sign the person in. Shows nothing if there is no other way. */
export function WaysInSection() {
  const ways = useQuery(queryFor(listWaysIn));
  if (ways.data && !hasWays(ways.data) && !canLink(ways.data)) return null;
  return (
    <Card component="section" aria-labelledby="ways-in-title">
      <Title order={2} id="ways-in-title" mb="sm">
        Other ways to sign in
      </Title>
      <LinkNews />
      <Loaded
        read={ways}
        failure="Your ways to sign in could not be loaded"
        loading={{ label: 'Loading your ways to sign in', rows: 2 }}
      >
        {(data) => <Ways ways={data} />}
      </Loaded>
    </Card>
  );
}

/** The outcome of a visit to a provider. */
function LinkNews() {
  if (!new URLSearchParams(location.search).has('linked')) return <ProviderNews title="Nothing was linked" />;
  return (
    <Alert color="teal" icon={<CircleCheck size={18} aria-hidden />} mb="md" title="Linked" role="status">
      You can sign in with it from now on.
    </Alert>
  );
}

function Ways({ ways }: { ways: WaysIn }) {
  const { identities, passkeys, linkable } = ways;
  return (
    <Stack gap="md">
      {hasWays(ways) ? null : <Text c="dimmed">Nothing is linked to your account yet.</Text>}
      {identities.map((identity) => (
        <LinkedIdentity key={identity.id} identity={identity} />
      ))}
      <Group gap="sm">
        {linkable.providers.map((provider) => (
          <LinkProvider key={provider.id} {...provider} />
        ))}
        {linkable.wallet && findWallet() ? <LinkWallet /> : null}
      </Group>
      <Passkeys passkeys={passkeys} canAdd={linkable.passkeys} />
    </Stack>
  );
}

function hasWays({ identities, passkeys }: WaysIn): boolean {
  return identities.length > 0 || passkeys.length > 0;
}

function canLink({ linkable }: WaysIn): boolean {
  return linkable.providers.length > 0 || linkable.wallet || linkable.passkeys;
}

function LinkedIdentity({ identity }: { identity: WaysIn['identities'][number] }) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(unlinkIdentity, {
    success: `${identity.label} Unlinked`,
    failureTitle: 'Not Unlinked',
    onSuccess: () => setAsking(false),
  });
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text fw={600}>{identity.label}</Text>
        {identity.account ? <Text size="sm">{identity.account}</Text> : null}
        <Text size="sm" c="dimmed">
          Linked on {formatDay(identity.linkedAt)}
          {identity.canUnlink ? '' : '. You cannot unlink your last way to sign in.'}
        </Text>
      </div>
      {identity.canUnlink ? (
        <Button variant="default" aria-label={`Unlink ${identity.label}`} onClick={() => setAsking(true)}>
          Unlink
        </Button>
      ) : null}
      <ConfirmDialog
        isOpen={isAsking}
        title={`Unlink ${identity.label}?`}
        confirmLabel="Unlink"
        isDestructive
        isRunning={action.isRunning}
        onConfirm={() => action.run({ params: { id: identity.id } })}
        onClose={() => setAsking(false)}
      >
        You can no longer sign in with it. You can link it again.
      </ConfirmDialog>
    </Group>
  );
}

function LinkProvider({ id, label }: { id: string; label: string }) {
  const action = useAction(startProviderLink, {
    failureTitle: 'Not Linked',
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <Button
      variant="default"
      loading={action.isRunning}
      onClick={() => action.run({ params: { provider: SignInProvider.parse(id) } })}
    >
      Link {label}
    </Button>
  );
}

function LinkWallet() {
  const action = useDeviceAct(
    async () => {
      const address = await walletAddress();
      const { message } = await call(requestWalletLink, { body: { address } });
      return call(linkWallet, { body: { message, signature: await signWithWallet(message, address) } });
    },
    {
      failureTitle: 'Not Linked',
      onSuccess: () => {
        showToast({ type: 'success', title: 'Wallet Linked' });
      },
    },
  );
  return (
    <Button variant="default" loading={action.isRunning} onClick={() => action.run()}>
      Link a wallet
    </Button>
  );
}

import { Alert, Button, Divider, Stack } from '@mantine/core';
import { CircleAlert, KeyRound, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  type ProviderRefusal,
  providerRefusalParameter,
  providerRefusals,
  requestPasskeySignIn,
  requestWalletSignIn,
  SignInProvider,
  signInByPasskey,
  signInByWallet,
  startProviderSignIn,
} from '#contract/sign-in-ways.ts';
import { addressOf, call } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { wrappingButton } from '../wrapping-button.ts';
import { MailSignIn } from './MailSignIn.tsx';
import { answerWithPasskey } from './passkey.ts';
import { useDeviceAct } from './use-device-act.ts';
import { findWallet, signWithWallet, walletAddress } from './wallet.ts';

interface OtherWaysProps {
  /** A provider or a mailed link leads back to this address. */
  next: string;
  /** True if the person must not leave what they typed. Providers then open in their own tab. */
  staysHere?: boolean;
  /** What the person has typed as the address so far. */
  email?: string;
  onSignedIn: () => void;
}

/** The instance's other ways to sign in, below the form for the password. */
export function OtherWays({ next, staysHere = false, email = '', onSignedIn }: OtherWaysProps) {
  const { signInProviders: ways } = useSession().instance;
  if (ways.length === 0) return null;
  const offers = (id: string) => ways.some((way) => way.id === id);
  const providers = ways.flatMap(({ id, label }) => {
    const provider = SignInProvider.safeParse(id);
    return provider.success ? [{ provider: provider.data, label }] : [];
  });
  return (
    <Stack gap="sm" mt="lg">
      <Divider label="or" />
      {offers('mail') ? <MailSignIn next={next} typedEmail={email} onSignedIn={onSignedIn} /> : null}
      {providers.map(({ provider, label }) => (
        <Button
          key={provider}
          component="a"
          href={addressOf(startProviderSignIn, { params: { provider }, query: { next } })}
          target={staysHere ? '_blank' : undefined}
          variant="default"
          fullWidth
          {...wrappingButton}
        >
          Sign in with {label}
          {staysHere ? ' in a new tab' : ''}
        </Button>
      ))}
      {offers('passkey') ? (
        <DeviceButton
          label="Sign in with a passkey"
          icon={<KeyRound size={18} aria-hidden />}
          signIn={signInOnDevice}
          onSignedIn={onSignedIn}
        />
      ) : null}
      {offers('wallet') && findWallet() ? (
        <DeviceButton
          label="Sign in with a wallet"
          icon={<Wallet size={18} aria-hidden />}
          signIn={signInWithWallet}
          onSignedIn={onSignedIn}
        />
      ) : null}
    </Stack>
  );
}

/** Says why the person came back from a provider without being signed in or linked. */
export function ProviderNews({ title }: { title: string }) {
  const code = new URLSearchParams(location.search).get(providerRefusalParameter);
  if (code === null) return null;
  const sentence = code in providerRefusals ? providerRefusals[code as ProviderRefusal] : providerRefusals.failed;
  return (
    <Alert color="red" icon={<CircleAlert size={18} aria-hidden />} mb="md" title={title} role="alert">
      {sentence}
    </Alert>
  );
}

async function signInOnDevice() {
  const { options } = await call(requestPasskeySignIn);
  const response = await answerWithPasskey(options);
  return call(signInByPasskey, { body: { response } });
}

async function signInWithWallet() {
  const address = await walletAddress();
  const { message } = await call(requestWalletSignIn, { body: { address } });
  const signature = await signWithWallet(message, address);
  return call(signInByWallet, { body: { message, signature } });
}

interface DeviceButtonProps {
  label: string;
  icon: ReactNode;
  signIn: () => Promise<unknown>;
  onSignedIn: () => void;
}

function DeviceButton({ label, icon, signIn, onSignedIn }: DeviceButtonProps) {
  const action = useDeviceAct(signIn, { failureTitle: 'Sign In Failed', onSuccess: onSignedIn });
  return (
    <Button variant="default" fullWidth leftSection={icon} loading={action.isRunning} onClick={() => action.run()}>
      {label}
    </Button>
  );
}

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

/** A person with an account at the provider. They type `sub` there as their login. */
export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
  name?: string;
  /** A claim that no relying party may believe. */
  role?: string;
}

export interface OidcServer {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The settings of an instance that offers this provider. */
  env: Record<string, string>;
  people: Map<string, ProviderPerson>;
  /** A token signed by the provider's own key, with claims as wrong as a test wants them. */
  sign(claims: JWTPayload, header?: { alg?: string }): Promise<string>;
  close(): Promise<void>;
}

/** A standard OpenID Connect provider on loopback that insists on PKCE. `redirectUris` are the instance's. */
export async function startOidcServer(redirectUris: string[]): Promise<OidcServer> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const clientId = 'switchyard';
  const clientSecret = randomBytes(24).toString('base64url');
  const people = new Map<string, ProviderPerson>();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' };
  const provider = quietly(
    () =>
      new Provider(issuer, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
        jwks: { keys: [jwk] },
        cookies: { keys: [randomBytes(16).toString('hex')] },
        pkce: { required: () => true },
        features: { claimsParameter: { enabled: true } },
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['given_name', 'family_name', 'name', 'role'],
        },
        ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        findAccount: (_, sub) => {
          const person = people.get(sub);
          return person && { accountId: sub, claims: () => ({ ...person }) };
        },
      }),
  );
  listener.on('request', provider.callback());
  return {
    issuer,
    clientId,
    clientSecret,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
    people,
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(privateKey),
    close: () => {
      listener.closeAllConnections();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
}

/** Signs in on the provider's own pages, as a browser would, and returns where the provider sends the browser. */
export async function signInAtProvider(address: string, sub: string, { abort = false } = {}): Promise<URL> {
  const jar = new Map<string, string>();
  const visit = async (url: URL, form?: Record<string, string>): Promise<Response> => {
    const answer = await fetch(url, {
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: form ? new URLSearchParams(form) : undefined,
      redirect: 'manual',
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return answer;
  };

  const { origin } = new URL(address);
  let place = new URL(address);
  for (let step = 0; step < 12; step += 1) {
    const answer = await visit(place);
    const page = await answer.text();
    const next = answer.headers.get('location');
    if (next) {
      place = new URL(next, place);
    } else {
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (!prompt) throw new Error(`The provider answered ${answer.status}: ${page.slice(0, 2000)}`);
      const submitted = abort
        ? await visit(new URL(`${place.pathname}/abort`, origin))
        : await visit(place, { prompt, login: sub, password: 'any' });
      place = new URL(submitted.headers.get('location') ?? '', place);
    }
    if (place.origin !== origin) return place;
  }
  throw new Error('The provider did not send the browser back.');
}

/** The provider warns that its pages are for development. Tests are their purpose. */
function quietly<T>(make: () => T): T {
  const { warn, info } = console;
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  try {
    return make();
  } finally {
    Object.assign(console, { warn, info });
  }
}

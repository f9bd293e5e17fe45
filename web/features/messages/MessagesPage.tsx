import { Alert } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { type CSSProperties, useSyncExternalStore } from 'react';
import { listContacts } from '#contract/messages.ts';
import { pagesFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useFocusInStep } from '../../ui/use-focus-in-step.ts';
import { ContactList } from './ContactList.tsx';
import { ConversationPane } from './ConversationPane.tsx';
import classes from './Messages.module.css';
import { MonitoredPerson } from './MonitoredPerson.tsx';
import { useMessagesPlace } from './messages-place.ts';

/** MSG-01, MSG-02. Contacts and conversation stand side by side. On a phone, one leads to the other. */
export function MessagesPage() {
  const { role } = useSignedInUser();
  const { place, change } = useMessagesPlace();
  const search = place.q ?? '';
  const list = useInfiniteQuery({
    ...pagesFor(listContacts, { query: { search: search || undefined } }),
    placeholderData: keepPreviousData,
  });
  const contacts = list.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  // A participant with one contact, and with room for the conversation, need not choose.
  const onlyId = isWide && role === 'participant' && contacts.length === 1 && !search ? contacts[0]?.id : undefined;
  const selectedId = place.with ?? onlyId ?? null;

  // Without contacts there is nobody to choose, whether there are none or they could not be read.
  const isAlone = !list.isPending && contacts.length === 0 && !search && selectedId === null;

  const page = useFocusInStep(place.with !== undefined);
  return (
    <div
      ref={page}
      className={classes.page}
      style={useVisibleHeight()}
      data-open={place.with !== undefined || undefined}
    >
      <div className={classes.heading}>
        <PageHeader title="Communications" />
      </div>
      {role === 'admin' ? (
        <Alert
          icon={<Eye size={18} aria-hidden />}
          title="Admin Monitoring Mode"
          className={classes.monitoring}
          classNames={{ message: classes.monitoringWords }}
        >
          You can read conversations but not write in them. When you open one, we log it and show it to the people in
          it.
        </Alert>
      ) : null}
      <div className={classes.panes} data-alone={isAlone || undefined}>
        <ContactList
          role={role}
          list={list}
          contacts={contacts}
          search={search}
          onSearch={(q) => change({ q: q || undefined }, { replace: true })}
          selectedId={selectedId}
        />
        {isAlone ? null : (
          <div className={classes.conversation}>
            {selectedId === null && contacts.length > 0 ? (
              <EmptyState title="Choose a conversation">
                {role === 'admin' ? 'Choose a person to see whom they write with.' : 'Your messages will show here.'}
              </EmptyState>
            ) : null}
            {selectedId !== null && role === 'admin' ? (
              <MonitoredPerson
                key={selectedId}
                personId={selectedId}
                openingId={place.opening ?? null}
                onOpen={(opening) => change({ opening })}
              />
            ) : null}
            {selectedId !== null && role !== 'admin' ? (
              <ConversationPane key={selectedId} personId={selectedId} />
            ) : null}
          </div>
        )}
      </div>
    </div>
  );
}

/** The height that an on-screen keyboard leaves, as a variable for style sheets. */
function useVisibleHeight(): CSSProperties {
  const height = useSyncExternalStore(subscribe, () => window.visualViewport?.height ?? window.innerHeight);
  return { '--visible-height': `${height}px` } as CSSProperties;
}

function subscribe(listener: () => void): () => void {
  const viewport = window.visualViewport ?? window;
  viewport.addEventListener('resize', listener);
  return () => viewport.removeEventListener('resize', listener);
}

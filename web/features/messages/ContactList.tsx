import { Button } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Contact, listContacts } from '#contract/messages.ts';
import type { Role } from '#contract/roles.ts';
import { paths, type ScreenPath } from '../../app/paths.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { LongList } from '../../ui/LongList.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ContactEntry } from './ContactEntry.tsx';
import classes from './Messages.module.css';

interface ContactListProps {
  role: Role;
  list: UseInfiniteQueryResult<InfiniteData<ResponseOf<typeof listContacts>>>;
  contacts: Contact[];
  search: string;
  onSearch: (search: string) => void;
  selectedId: string | null;
}

/** MSG-02, MSG-03, MSG-11 */
export function ContactList({ role, list, contacts, search, onSearch, selectedId }: ContactListProps) {
  return (
    <section className={classes.contacts} aria-label="Contacts">
      <div className={classes.search}>
        <SearchField
          label="Search contacts"
          placeholder="Name or email"
          value={search}
          onSearch={(text) => onSearch(text ?? '')}
        />
      </div>
      <div className={classes.contactRows} aria-busy={list.isPlaceholderData}>
        <LoadedRows
          list={list}
          failure="Failed to load participants"
          loading={{ label: 'Loading contacts', rows: 6 }}
          empty={<NoContacts role={role} search={search} onSearch={onSearch} />}
        >
          {() => (
            <LongList
              rows={contacts}
              keyOf={({ id }) => id}
              rowHeight={68}
              className={classes.entries}
              partClassName={classes.entries}
            >
              {(contact) => (
                <ContactEntry contact={contact} isSelected={contact.id === selectedId} showsRole={role === 'admin'} />
              )}
            </LongList>
          )}
        </LoadedRows>
        <NextPageButton list={list} size="sm" m="xs" />
      </div>
    </section>
  );
}

function NoContacts({ role, search, onSearch }: Pick<ContactListProps, 'role' | 'search' | 'onSearch'>) {
  if (search) {
    return (
      <EmptyState
        title="Nobody found"
        action={
          <Button variant="default" onClick={() => onSearch('')}>
            Clear the search
          </Button>
        }
      >
        No contact's name or email has “{search}” in it.
      </EmptyState>
    );
  }
  if (role === 'participant') {
    return (
      <EmptyState title="No coach yet" action={<NextStep to={paths.dashboard}>See what happens next</NextStep>}>
        A coach is being assigned to you; check back in 24-48 hours.
      </EmptyState>
    );
  }
  if (role === 'coach') {
    return <EmptyState title="No participants yet">Participants show here when they are assigned to you.</EmptyState>;
  }
  return (
    <EmptyState
      title="Nobody here yet"
      action={<NextStep to={paths.bulkInvitations}>Go to Bulk User Creation</NextStep>}
    >
      Participants and coaches will show here.
    </EmptyState>
  );
}

function NextStep({ to, children }: { to: ScreenPath; children: string }) {
  return (
    <Button component={Link} to={to} variant="default">
      {children}
    </Button>
  );
}

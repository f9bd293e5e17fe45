import { Select } from '@mantine/core';
import { Role, roles } from '#contract/roles.ts';
import { UserOrder, userOrders } from '#contract/user-management.ts';
import { countOn, FilterBar } from '../../ui/FilterBar.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { SavedFilters } from '../saved-filters/SavedFilters.tsx';
import { UserListActs, type UserListActsProps } from './UserListActs.tsx';
import type { ChangeUserPlace, UserPlace } from './user-place.ts';
import { orderNames, roleNames } from './user-words.ts';

interface UserFiltersProps extends UserListActsProps {
  place: UserPlace;
  onChange: ChangeUserPlace;
}

const all = 'all';
const width = { base: 'calc(50% - 6px)', xs: 140 };

/** USER-04, USER-05, USER-07 */
export function UserFilters({ place, onChange, ...acts }: UserFiltersProps) {
  return (
    <FilterBar
      label="Filter users"
      always={
        <SearchField
          label="Search"
          placeholder="Name or email"
          value={place.search ?? ''}
          onSearch={(search) => onChange({ search })}
          flex="1 1 140px"
        />
      }
      on={countOn(place.role)}
      saved={<SavedFilters list="users" of={['search', 'role', 'order']} places={['at']} />}
      acts={<UserListActs {...acts} />}
    >
      <Select
        label="Role"
        data={[{ value: all, label: 'All roles' }, ...roles.map((role) => ({ value: role, label: roleNames[role] }))]}
        value={place.role ?? all}
        onChange={(role) => onChange({ role: Role.safeParse(role).data })}
        allowDeselect={false}
        w={width}
      />
      <Select
        label="Sort by"
        data={userOrders.map((order) => ({ value: order, label: orderNames[order] }))}
        value={place.order}
        onChange={(chosen) => onChange({ order: UserOrder.safeParse(chosen).data })}
        allowDeselect={false}
        w={{ ...width, xs: 160 }}
      />
    </FilterBar>
  );
}

import { dashboardPlaces } from '#contract/first-reads.ts';
import { heldPasswordLink } from '../../../api/password-hold.ts';

/** A dashboard with all that it has, which the person may see. */
export function isAtDashboard(): boolean {
  const { pathname, search, hash } = location;
  return dashboardPlaces.includes(pathname) && search === '' && hash === '' && heldPasswordLink() === null;
}

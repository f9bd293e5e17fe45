import {
  BanknoteArrowUp,
  BookOpen,
  CalendarDays,
  ClipboardCheck,
  Folder,
  LayoutDashboard,
  Library,
  type LucideIcon,
  MessagesSquare,
  UserPlus,
  Users,
  Wrench,
} from 'lucide-react';
import type { Role } from '#contract/roles.ts';
import { paths, type ScreenPath } from './paths.ts';

export interface NavigationEntry {
  label: string;
  to: ScreenPath;
  icon: LucideIcon;
}

const dashboard = { label: 'Dashboard', to: paths.dashboard, icon: LayoutDashboard };
const calendar = { label: 'Training Calendar', to: paths.trainingCalendar, icon: CalendarDays };
const messages = { label: 'Messages', to: paths.messages, icon: MessagesSquare };
const resources = { label: 'Resources', to: paths.resources, icon: Library };
const submissions = { label: 'Submissions', to: paths.submissions, icon: ClipboardCheck };

/** ROUTE-24 to ROUTE-28: exactly these entries in this order. */
export const navigation: Record<Role, NavigationEntry[]> = {
  participant: [
    dashboard,
    { label: 'My Activities', to: paths.trainingCalendar, icon: CalendarDays },
    resources,
    messages,
    { label: 'My Files', to: paths.myFiles, icon: Folder },
    submissions,
  ],
  coach: [dashboard, calendar, resources, messages, submissions],
  admin: [
    dashboard,
    calendar,
    messages,
    { label: 'Bulk User Creation', to: paths.bulkInvitations, icon: UserPlus },
    { label: 'User Management', to: paths.userManagement, icon: Users },
    { label: 'Training Management', to: paths.trainingManagement, icon: Wrench },
    { label: 'Content Management', to: paths.contentManagement, icon: BookOpen },
    { label: 'Resources Management', to: paths.resourcesManagement, icon: Library },
    { label: 'Stipend Management', to: paths.stipendManagement, icon: BanknoteArrowUp },
    submissions,
  ],
};

import { Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { partInTime } from '../../../api/patience.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { LoadingState } from '../../../ui/states.tsx';
import { TabStrip } from '../../../ui/TabStrip.tsx';
import { SetupActivities } from './SetupActivities.tsx';
import { SetupCohort } from './SetupCohort.tsx';
import { SetupCohorts } from './SetupCohorts.tsx';
import { SetupCourses } from './SetupCourses.tsx';
import { SetupModules } from './SetupModules.tsx';
import { SetupRequirements } from './SetupRequirements.tsx';
import { SetupTracks } from './SetupTracks.tsx';
import { type SetupTab, setupTabs, useSetupPlace } from './setup-place.ts';

const SetupPrograms = lazy(async () => ({
  default: (await partInTime(() => import('./SetupPrograms.tsx'))).SetupPrograms,
}));
const SetupProgram = lazy(async () => ({
  default: (await partInTime(() => import('./SetupProgram.tsx'))).SetupProgram,
}));

const tabNames: Record<SetupTab, string> = {
  cohorts: 'Cohorts',
  programs: 'Programs',
  courses: 'Courses',
  modules: 'Modules',
  tracks: 'Tracks',
  requirements: 'Weekly requirements',
  activities: 'Activities',
};

/** The parts of a programme. Other screens read them, and only this one writes them. */
export function ProgrammeSetupPage() {
  const { place, open } = useSetupPlace();
  const { tab, cohort, program } = place;
  const isOfCohort = (name: SetupTab) => name === 'requirements' || name === 'activities';
  const show = (next: string | null) => {
    const chosen = setupTabs.find((name) => name === next);
    if (chosen) open(chosen, isOfCohort(chosen) && (chosen === 'activities' || cohort !== 'none') ? cohort : undefined);
  };
  return (
    <>
      <PageHeader title="Programme Setup" lead="Cohorts and what they are taught." />
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <TabStrip chosen={tab}>
          {setupTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabNames[name]}
            </Tabs.Tab>
          ))}
        </TabStrip>
        <Tabs.Panel value="cohorts">
          {cohort && cohort !== 'none' ? <SetupCohort key={cohort} id={cohort} /> : <SetupCohorts />}
        </Tabs.Panel>
        <Tabs.Panel value="programs">
          <Suspense fallback={<LoadingState label="Loading the programs" rows={6} />}>
            {program ? <SetupProgram key={program} id={program} /> : <SetupPrograms />}
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="courses">
          <SetupCourses />
        </Tabs.Panel>
        <Tabs.Panel value="modules">
          <SetupModules />
        </Tabs.Panel>
        <Tabs.Panel value="tracks">
          <SetupTracks />
        </Tabs.Panel>
        <Tabs.Panel value="requirements">
          <SetupRequirements />
        </Tabs.Panel>
        <Tabs.Panel value="activities">
          <SetupActivities />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

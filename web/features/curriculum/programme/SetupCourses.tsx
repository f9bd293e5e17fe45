import { Box, SimpleGrid } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import {
  type Course,
  CourseFacts,
  createCourse,
  deleteCourse,
  listCourses,
  updateCourse,
} from '#contract/programme-setup.ts';
import type { TrackType } from '#contract/roles.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { TitleOnPhone, TwoLines } from '../../../ui/TwoLines.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { RowActions } from '../RowActions.tsx';
import { ChoiceField, SwitchField, TextField } from '../SetupFields.tsx';
import { programNames, programOptions } from '../setup-words.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { Archived, Name } from './SetupCells.tsx';
import { SetupEditor } from './SetupEditor.tsx';
import { SetupList, SetupSearch } from './SetupList.tsx';
import { actOn, actOnNamed } from './setup-acts.ts';
import { useSetupPlace } from './setup-place.ts';

interface Draft {
  title: string;
  trackType: TrackType | '';
  isArchived: boolean;
}

const fieldNames: Record<keyof Draft, string> = { title: 'Title', trackType: 'Track', isArchived: 'Archived' };
const blank: Draft = { title: '', trackType: 'fellowship', isArchived: false };

export function SetupCourses() {
  const { place, change } = useSetupPlace();
  const { search } = place;
  const list = useInfiniteQuery({
    ...pagesFor(listCourses, { query: { search } }),
    placeholderData: keepPreviousData,
  });
  return (
    <SetupList
      thing="course"
      things="courses"
      list={list}
      columns={({ onEdit, onDelete }) => columnsFor(onEdit, onDelete)}
      isFiltered={Boolean(search)}
      onClear={() => change({ search: undefined })}
      emptyWords="Participants are enrolled in a course, where their coach looks after them."
      search={<SetupSearch placeholder="Title" />}
      editor={(course, onClose) => <CourseDialog course={course} onClose={onClose} />}
      removal={(course, onClose) => <RemoveCourse course={course} onClose={onClose} />}
    />
  );
}

function columnsFor(onEdit: (course: Course) => void, onDelete: (course: Course) => void): Column<Course>[] {
  return [
    {
      key: 'course',
      label: 'Course',
      onPhone: 'first',
      cellOnPhone: ({ title }) => <TitleOnPhone>{title}</TitleOnPhone>,
      cell: (course) => (
        <TwoLines first={<Name>{course.title}</Name>} second={course.isArchived ? <Archived /> : whoJoins(course)} />
      ),
    },
    {
      key: 'track',
      label: 'Track',
      width: 170,
      onPhone: 'secondRest',
      cellOnPhone: ({ trackType, isForEnrolment }) => (
        <TwoLines first={programNames[trackType]} second={isForEnrolment ? 'Takes new cohort members' : null} />
      ),
      cell: ({ trackType }) => programNames[trackType],
    },
    {
      key: 'enrolments',
      label: 'Enrolled',
      width: 110,
      isNumber: true,
      onPhone: 'firstEnd',
      cellOnPhone: ({ isArchived, enrolments }) =>
        isArchived ? <Archived /> : `${enrolments.toLocaleString('en-US')} enrolled`,
      cell: ({ enrolments }) => enrolments.toLocaleString('en-US'),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 132,
      onPhone: 'secondEnd',
      cell: (course) => (
        <RowActions name={course.title} onEdit={() => onEdit(course)} onDelete={() => onDelete(course)} />
      ),
    },
  ];
}

/** Says which of the courses takes the people who join a cohort. */
function whoJoins({ isForEnrolment, trackType }: Course): string | null {
  return isForEnrolment ? `The first ${programNames[trackType]} course: takes everyone who joins a cohort` : null;
}

function CourseDialog({ course, onClose }: { course: Course | null; onClose: () => void }) {
  const create = useAction(createCourse, actOn('course', 'added', onClose));
  const update = useAction(updateCourse, actOn('course', 'saved', onClose));
  return (
    <SetupEditor
      thing="course"
      row={course}
      nameOf={({ title }) => title}
      draftOf={draftOf}
      blank={blank}
      create={create}
      update={update}
      schema={CourseFacts}
      fieldNames={fieldNames}
      onClose={onClose}
    >
      {(form) => (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <TextField
              form={form}
              name="title"
              label={fieldNames.title}
              required
              maxLength={limitOf(CourseFacts, 'title')}
            />
            <ChoiceField<'trackType', TrackType>
              form={form}
              name="trackType"
              label={fieldNames.trackType}
              required
              isDisabled={(course?.enrolments ?? 0) > 0}
              note={(course?.enrolments ?? 0) > 0 ? 'You cannot change it: people are enrolled.' : undefined}
              options={programOptions}
            />
          </SimpleGrid>
          {course ? (
            <Box>
              <SwitchField
                form={form}
                name="isArchived"
                label={fieldNames.isArchived}
                note={`An archived course takes nobody new; ${counted(course.enrolments, 'person', 'people')} in it stay.`}
              />
            </Box>
          ) : null}
        </>
      )}
    </SetupEditor>
  );
}

function RemoveCourse({ course, onClose }: { course: Course; onClose: () => void }) {
  const { id, title, trackType, enrolments, version, isArchived, isForEnrolment } = course;
  const remove = useAction(deleteCourse, actOnNamed(title, 'course', 'deleted', onClose));
  const archive = useAction(updateCourse, actOnNamed(title, 'course', 'archived', onClose));
  return (
    <RemoveDialog
      thing="course"
      name={title}
      staysBecause={
        enrolments > 0 ? `${counted(enrolments, 'person', 'people')} are or were enrolled in it, so it stays.` : null
      }
      isRunning={remove.isRunning || archive.isRunning}
      onDelete={() => remove.run({ params: { id } })}
      instead={
        isArchived
          ? undefined
          : {
              label: 'Archive course',
              words: isForEnrolment
                ? `An archived course takes nobody new. The next oldest ${programNames[trackType]} course takes them. If there is none, people are enrolled in no course.`
                : 'An archived course takes nobody new.',
              run: () => archive.run({ params: { id }, body: { title, trackType, isArchived: true, version } }),
            }
      }
      onClose={onClose}
    />
  );
}

function draftOf({ title, trackType, isArchived }: Course): Draft {
  return { title, trackType, isArchived };
}

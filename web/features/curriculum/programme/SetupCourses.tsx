import { Box, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
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
import type { Column } from '../../../ui/DataTable.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { RowActions } from '../RowActions.tsx';
import { SetupDialog } from '../SetupDialog.tsx';
import { ChoiceField, SwitchField, TextField } from '../SetupFields.tsx';
import { counted, programNames, programOptions } from '../setup-words.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { SetupList } from './SetupList.tsx';
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
  const [edited, setEdited] = useState<Course | 'new' | null>(null);
  const [doomed, setDoomed] = useState<Course | null>(null);
  const list = useInfiniteQuery({
    ...pagesFor(listCourses, { query: { search } }),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <SetupList
        things="courses"
        list={list}
        columns={columnsFor(setEdited, setDoomed)}
        keyOf={({ id }) => id}
        isFiltered={Boolean(search)}
        onClear={() => change({ search: undefined })}
        addLabel="Add course"
        onAdd={() => setEdited('new')}
        emptyWords="Participants are enrolled in a course, where their coach looks after them."
        filters={
          <SearchField
            label="Search"
            placeholder="Title"
            value={search ?? ''}
            onSearch={(text) => change({ search: text }, { replace: true })}
            flex={{ base: '1 0 100%', xs: '0 1 260px' }}
          />
        }
      />
      {edited ? (
        <CourseDialog
          course={edited === 'new' ? null : (rows.find(({ id }) => id === edited.id) ?? edited)}
          onClose={() => setEdited(null)}
        />
      ) : null}
      {doomed ? <RemoveCourse course={doomed} onClose={() => setDoomed(null)} /> : null}
    </>
  );
}

function columnsFor(onEdit: (course: Course) => void, onDelete: (course: Course) => void): Column<Course>[] {
  return [
    {
      key: 'course',
      label: 'Course',
      cell: ({ title, isArchived, isForEnrolment, trackType }) => (
        <Stack gap={4} align="flex-start" miw={180}>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          {isArchived ? <StatusBadge tone="neutral">Archived</StatusBadge> : null}
          {isForEnrolment ? (
            <Text size="sm" c="dimmed">
              The first {programNames[trackType]} course: who is enrolled in a cohort is enrolled in it.
            </Text>
          ) : null}
        </Stack>
      ),
    },
    { key: 'track', label: 'Track', width: 170, cell: ({ trackType }) => programNames[trackType] },
    {
      key: 'enrolments',
      label: 'Enrolled',
      width: 110,
      isNumber: true,
      cell: ({ enrolments }) => enrolments.toLocaleString('en-US'),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 170,
      cell: (course) => (
        <RowActions name={course.title} onEdit={() => onEdit(course)} onDelete={() => onDelete(course)} />
      ),
    },
  ];
}

function CourseDialog({ course, onClose }: { course: Course | null; onClose: () => void }) {
  const create = useAction(createCourse, {
    success: 'Course Added',
    failureTitle: 'The course could not be added',
    onSuccess: onClose,
  });
  const update = useAction(updateCourse, {
    success: 'Course Saved',
    failureTitle: 'The course could not be saved',
    onSuccess: onClose,
  });
  const draft = course ? draftOf(course) : blank;
  const { run: _, ...state } = course ? update : create;
  return (
    <SetupDialog
      title={course ? `Edit ${course.title}` : 'Add course'}
      saveLabel={course ? 'Save course' : 'Add course'}
      initial={draft}
      current={course ? { draft, version: course.version } : undefined}
      schema={CourseFacts}
      fieldNames={fieldNames}
      saving={{
        ...state,
        run: (facts, version) =>
          course && version !== null
            ? update.run({ params: { id: course.id }, body: { ...facts, version } })
            : create.run({ body: facts }),
      }}
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
              note={(course?.enrolments ?? 0) > 0 ? 'Stays, since people are enrolled.' : undefined}
              options={programOptions}
            />
          </SimpleGrid>
          {course ? (
            <Box>
              <SwitchField
                form={form}
                name="isArchived"
                label={fieldNames.isArchived}
                note={`Nobody is enrolled in an archived course any more; ${counted(course.enrolments, 'person', 'people')} in it stay.`}
              />
            </Box>
          ) : null}
        </>
      )}
    </SetupDialog>
  );
}

function RemoveCourse({ course, onClose }: { course: Course; onClose: () => void }) {
  const ending = { onSuccess: onClose, onError: onClose } as const;
  const remove = useAction(deleteCourse, {
    success: () => ({ title: 'Course Deleted', message: course.title }),
    failureTitle: 'The course could not be deleted',
    ...ending,
  });
  const archive = useAction(updateCourse, {
    success: () => ({ title: 'Course Archived', message: course.title }),
    failureTitle: 'The course could not be archived',
    ...ending,
  });
  const { id, title, trackType, enrolments, version, isArchived, isForEnrolment } = course;
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
                ? `Archived, it takes nobody in: the next oldest ${programNames[trackType]} course does, and without one people are enrolled in none.`
                : 'Archived, it takes nobody in any more.',
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

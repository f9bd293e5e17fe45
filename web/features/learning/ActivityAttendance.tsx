import { Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { type AttendanceRow, readAttendance } from '#contract/activities.ts';
import { SearchText } from '#contract/endpoint.ts';
import { pagesFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { AttendanceTable } from './AttendanceTable.tsx';
import { CorrectAttendance } from './CorrectAttendance.tsx';
import { ExcuseAbsence } from './ExcuseAbsence.tsx';

const typingPauseInMs = 250;

/** Who attended? Coaches see their own participants. Coaches and admins may record or correct attendance. */
export function ActivityAttendance({ activityId }: { activityId: string }) {
  const { role } = useSignedInUser();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), typingPauseInMs);
  const [corrected, setCorrected] = useState<AttendanceRow | null>(null);
  const [excused, setExcused] = useState<AttendanceRow | null>(null);
  const list = useInfiniteQuery({
    ...pagesFor(readAttendance, { params: { id: activityId }, query: { search: search || undefined } }),
    placeholderData: keepPreviousData,
  });
  const [first] = list.data?.pages ?? [];
  const isForNobody = first?.totalCount === 0 && search === '' && !list.isPlaceholderData;
  return (
    <Card component="section" aria-labelledby="attendance">
      <Stack gap="md">
        <Group justify="space-between" gap="sm" align="flex-end">
          <div>
            <Title order={2} id="attendance">
              Attendance
            </Title>
            {first && !isForNobody ? (
              <Text size="sm" c="dimmed" role="status">
                {first.attendedCount.toLocaleString('en-US')} of {first.totalCount.toLocaleString('en-US')}{' '}
                {role === 'coach' ? 'of your participants ' : ''}attended
              </Text>
            ) : null}
          </div>
          {isForNobody ? null : (
            <TextInput
              type="search"
              aria-label="Search participants"
              placeholder="Search participants"
              leftSection={<Search size={16} aria-hidden />}
              maxLength={limitOf(SearchText)}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </Group>
        <LoadedRows
          list={list}
          failure="Failed to load the attendance"
          loading={{ label: 'Loading the attendance', rows: 4 }}
          empty={<Text c="dimmed">{emptyWords(role, search)}</Text>}
        >
          {(rows) => <AttendanceTable rows={rows} onCorrect={setCorrected} onExcuse={setExcused} />}
        </LoadedRows>
        <NextPageButton list={list} />
      </Stack>
      <CorrectAttendance activityId={activityId} row={corrected} onClose={() => setCorrected(null)} />
      <ExcuseAbsence activityId={activityId} row={excused} onClose={() => setExcused(null)} />
    </Card>
  );
}

function emptyWords(role: string, search: string): string {
  if (search) return 'No one by that name.';
  return role === 'coach' ? 'None of your participants takes part in this.' : 'Nobody takes part in this.';
}

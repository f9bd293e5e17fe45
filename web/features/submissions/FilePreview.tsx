import { Image, Stack } from '@mantine/core';
import { downloadFile } from '#contract/files.ts';
import { addressOf } from '../../api/call.ts';
import { SubmittedFile } from './SubmittedFile.tsx';

interface FilePreviewProps {
  file: { id: string; name: string; size: number; mimeType: string };
}

/** Shows a submission's file. Pictures appear in place, and PDFs too if the browser can show them. */
export function FilePreview({ file }: FilePreviewProps) {
  const address = addressOf(downloadFile, { params: { id: file.id }, query: { inline: '1' } });
  const isPicture = file.mimeType.startsWith('image/') && file.mimeType !== 'image/svg+xml';
  return (
    <Stack gap="sm">
      <SubmittedFile file={file} />
      {isPicture ? <Image src={address} alt={`The file ${file.name}`} radius="md" fit="contain" mah={520} /> : null}
      {file.mimeType === 'application/pdf' && navigator.pdfViewerEnabled ? (
        <iframe src={address} title={`The file ${file.name}`} width="100%" height="520" style={{ border: 0 }} />
      ) : null}
    </Stack>
  );
}

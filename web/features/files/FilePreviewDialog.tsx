import { Button, Group, Image, Modal, Stack, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { downloadFile } from '#contract/files.ts';
import type { UserFile } from '#contract/user-files.ts';
import { addressOf } from '../../api/call.ts';
import { downloadStoredFile } from '../../api/download.ts';

interface FilePreviewDialogProps {
  file: UserFile | null;
  onClose: () => void;
}

/** Shows pictures and PDFs in place. The server sends them so that nothing in them can run here. */
export function FilePreviewDialog({ file, onClose }: FilePreviewDialogProps) {
  return (
    <Modal opened={file !== null} onClose={onClose} title={file?.name} size="xl">
      {file ? (
        <Stack gap="md">
          <Preview key={file.id} file={file} />
          <Group justify="flex-end">
            <Button
              variant="default"
              leftSection={<Download size={15} aria-hidden />}
              onClick={() => void downloadStoredFile(file.fileId)}
            >
              Download
            </Button>
          </Group>
        </Stack>
      ) : null}
    </Modal>
  );
}

function Preview({ file }: { file: UserFile }) {
  const [isBroken, setBroken] = useState(false);
  const address = addressOf(downloadFile, { params: { id: file.fileId }, query: { inline: '1' } });
  if (isBroken) return <Text>This picture could not be shown. Try to download it.</Text>;
  if (file.mimeType.startsWith('image/')) {
    return <Image src={address} alt={file.name} fit="contain" mah="65vh" onError={() => setBroken(true)} />;
  }
  if (!navigator.pdfViewerEnabled) return <Text>This browser shows no PDF. Download it to read it.</Text>;
  return <iframe src={address} title={file.name} style={{ width: '100%', height: '65vh', border: 0 }} />;
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { Camera, FileUp } from 'lucide-react';
import { useRef } from 'react';
import { acceptedBy, takesPhotos, type UploadArea, uploadAreas } from '#contract/files.ts';
import { formatBytes } from './bytes.ts';
import { useTouched } from './use-touched.ts';

interface FileZoneProps {
  area: UploadArea;
  /** Replaces the words that fit the device. */
  label?: string | undefined;
  isMultiple?: boolean;
  isDisabled?: boolean;
  isFocusedFirst?: boolean;
  onChoose: (files: File[]) => void;
  onReject?: () => void;
}

/** Takes files from the device, or dropped, or from the camera of a phone. It judges none of them. */
export function FileZone(props: FileZoneProps) {
  const { area, label, isMultiple = false, isDisabled = false, isFocusedFirst, onChoose, onReject } = props;
  const isTouched = useTouched();
  const hasCamera = isTouched && takesPhotos(area);
  const { extensions, maxBytes } = uploadAreas[area];
  const words = label ?? wordsFor({ hasCamera, isTouched, isMultiple });
  return (
    <Stack gap="xs">
      <Dropzone
        role="button"
        onDrop={onChoose}
        {...(onReject ? { onReject } : {})}
        multiple={isMultiple}
        enablePointerEvents
        useFsAccessApi={false}
        disabled={isDisabled}
        inputProps={{ 'aria-label': words, accept: acceptedBy(area), style: { display: 'none' } }}
        radius="lg"
        data-autofocus={isFocusedFirst}
      >
        <Group gap="sm" wrap="nowrap">
          <FileUp size={24} aria-hidden style={{ flexShrink: 0 }} />
          <div style={{ minWidth: 0 }}>
            <Text fw={550}>{words}</Text>
            <Text size="sm" c="dimmed">
              {extensions.join(', ')} · up to {formatBytes(maxBytes)}
              {isMultiple ? ' each' : ''}
            </Text>
          </div>
        </Group>
      </Dropzone>
      {hasCamera ? <TakePhoto isDisabled={isDisabled} onTaken={(photo) => onChoose([photo])} /> : null}
    </Stack>
  );
}

/** Some phones offer no camera beside their files, so it has a button of its own. */
function TakePhoto({ isDisabled, onTaken }: { isDisabled: boolean; onTaken: (photo: File) => void }) {
  const camera = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label="Photo to upload"
        onChange={({ currentTarget }) => {
          const [photo] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (photo) onTaken(photo);
        }}
      />
      <Button
        variant="default"
        w="fit-content"
        disabled={isDisabled}
        leftSection={<Camera size={16} aria-hidden />}
        onClick={() => camera.current?.click()}
      >
        Take a photo
      </Button>
    </>
  );
}

interface Device {
  hasCamera: boolean;
  isTouched: boolean;
  isMultiple: boolean;
}

function wordsFor({ hasCamera, isTouched, isMultiple }: Device): string {
  if (hasCamera) return isMultiple ? 'Take a photo or choose files' : 'Take a photo or choose a file';
  const choose = isMultiple ? 'Choose files' : 'Choose a file';
  if (isTouched) return choose;
  return isMultiple ? `${choose} or drop them here` : `${choose} or drop it here`;
}

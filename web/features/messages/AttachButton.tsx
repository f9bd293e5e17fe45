import { ActionIcon, Menu } from '@mantine/core';
import { Camera, File as FileIcon, Paperclip } from 'lucide-react';
import { type ChangeEvent, useRef } from 'react';
import { acceptedBy } from '#contract/files.ts';
import { useTouched } from '../../ui/use-touched.ts';

interface AttachButtonProps {
  isDisabled: boolean;
  onChoose: (file: File) => void;
}

/** Attaches a file to a message. A phone takes a photo too. */
export function AttachButton({ isDisabled, onChoose }: AttachButtonProps) {
  const hasCamera = useTouched();
  const chooser = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    currentTarget.value = '';
    if (file) onChoose(file);
  };
  const button = (onClick?: () => void) => (
    <ActionIcon
      variant="default"
      size={36}
      aria-label="Attach a file"
      title="Attach a file"
      disabled={isDisabled}
      {...(onClick ? { onClick } : {})}
    >
      <Paperclip size={18} aria-hidden />
    </ActionIcon>
  );
  return (
    <>
      <input
        ref={chooser}
        type="file"
        hidden
        accept={acceptedBy('messages')}
        aria-label="File to attach"
        onChange={take}
      />
      {hasCamera ? (
        <>
          <input
            ref={camera}
            type="file"
            hidden
            accept="image/*"
            capture="environment"
            aria-label="Photo to attach"
            onChange={take}
          />
          <Menu position="top-start">
            <Menu.Target>{button()}</Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Camera size={16} aria-hidden />} onClick={() => camera.current?.click()}>
                Take a photo
              </Menu.Item>
              <Menu.Item leftSection={<FileIcon size={16} aria-hidden />} onClick={() => chooser.current?.click()}>
                Choose a file
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      ) : (
        button(() => chooser.current?.click())
      )}
    </>
  );
}

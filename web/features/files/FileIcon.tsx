import { File, FileArchive, FileImage, FileText, FileVideo } from 'lucide-react';
import { extensionOf } from '#contract/files.ts';
import { extensionsOfType } from '#contract/user-files.ts';

const icons = { documents: FileText, images: FileImage, videos: FileVideo } as const;
const archives = ['zip', 'rar'];

export function FileIcon({ name }: { name: string }) {
  const extension = extensionOf(name);
  const types = ['documents', 'images', 'videos'] as const;
  const type = types.find((candidate) => (extensionsOfType[candidate] as readonly string[]).includes(extension));
  const Icon = type ? icons[type] : archives.includes(extension) ? FileArchive : File;
  return <Icon size={20} aria-hidden style={{ flexShrink: 0 }} />;
}

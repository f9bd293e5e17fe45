import '../styles/later.css';

export { Modal } from '@mantine/core';

//! `DescribeShareGroupOffsets` response (API key 90), versions 0 and 1, as bytes.
//!
//! Version 1 (KIP-1226) adds `Lag` after `LeaderEpoch`; all else is alike. Both are flexible:
//! lengths are unsigned varints of the length plus one, and every structure ends with its tagged
//! fields, of which these versions have none.

use super::coordinator::{ShareOffset, UNKNOWN_LAG};
use std::fmt;

/// One partition of the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedPartition {
    /// Its number.
    pub index: i32,
    /// What the group coordinator answers; version 0 carries no lag, which is −1 when decoded.
    pub offset: ShareOffset,
    /// The error in words.
    pub error_message: Option<String>,
}

/// One topic of the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedTopic {
    /// Its name.
    pub name: String,
    /// Its id.
    pub id: [u8; 16],
    /// Its partitions.
    pub partitions: Vec<DescribedPartition>,
}

/// One group of the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedGroup {
    /// Its id.
    pub id: String,
    /// Its topics.
    pub topics: Vec<DescribedTopic>,
    /// Error code of the whole group; 0: none.
    pub error_code: i16,
    /// The error in words.
    pub error_message: Option<String>,
}

/// The response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeShareGroupOffsets {
    /// How long the request was throttled, milliseconds.
    pub throttle_time_ms: i32,
    /// The groups.
    pub groups: Vec<DescribedGroup>,
}

/// Why bytes are not a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireError {
    /// There is no such version; there are 0 and 1.
    UnknownVersion(i16),
    /// The bytes end too early.
    TooShort,
    /// A length is out of range, text is not UTF-8, or a field must not be null.
    Malformed,
    /// Bytes are left over.
    TooLong,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::UnknownVersion(version) => {
                write!(f, "DescribeShareGroupOffsets has versions 0 and 1, not {version}")
            }
            WireError::TooShort => f.write_str("the response ends too early"),
            WireError::Malformed => f.write_str("the response is malformed"),
            WireError::TooLong => f.write_str("bytes are left over after the response"),
        }
    }
}

impl std::error::Error for WireError {}

const LAG_SINCE: i16 = 1;

impl DescribeShareGroupOffsets {
    /// The bytes of the response, without a header.
    ///
    /// # Errors
    /// [`WireError::UnknownVersion`]. A lag that version 0 cannot carry is left out without an
    /// error: the field is ignorable.
    pub fn encode(&self, version: i16) -> Result<Vec<u8>, WireError> {
        known(version)?;
        let mut out = Vec::new();
        out.extend(self.throttle_time_ms.to_be_bytes());
        put_array(&mut out, &self.groups, |out, group| put_group(out, group, version));
        put_no_tags(&mut out);
        Ok(out)
    }

    /// Reads what [`DescribeShareGroupOffsets::encode`] writes. Unknown tagged fields are skipped.
    ///
    /// # Errors
    /// If the bytes are not exactly one response of that version.
    pub fn decode(bytes: &[u8], version: i16) -> Result<Self, WireError> {
        known(version)?;
        let mut input = Input(bytes);
        let throttle_time_ms = input.int32()?;
        let groups = input.array(|input| input.group(version))?;
        input.tags()?;
        if input.0.is_empty() { Ok(Self { throttle_time_ms, groups }) } else { Err(WireError::TooLong) }
    }
}

fn known(version: i16) -> Result<(), WireError> {
    if (0..=LAG_SINCE).contains(&version) { Ok(()) } else { Err(WireError::UnknownVersion(version)) }
}

fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_no_tags(out: &mut Vec<u8>) {
    out.push(0);
}

fn put_array<T>(out: &mut Vec<u8>, items: &[T], mut put: impl FnMut(&mut Vec<u8>, &T)) {
    put_varint(out, items.len() as u32 + 1);
    items.iter().for_each(|item| put(out, item));
}

fn put_text(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        None => put_varint(out, 0),
        Some(text) => {
            put_varint(out, text.len() as u32 + 1);
            out.extend(text.as_bytes());
        }
    }
}

fn put_group(out: &mut Vec<u8>, group: &DescribedGroup, version: i16) {
    put_text(out, Some(&group.id));
    put_array(out, &group.topics, |out, topic| {
        put_text(out, Some(&topic.name));
        out.extend(topic.id);
        put_array(out, &topic.partitions, |out, partition| put_partition(out, partition, version));
        put_no_tags(out);
    });
    out.extend(group.error_code.to_be_bytes());
    put_text(out, group.error_message.as_deref());
    put_no_tags(out);
}

fn put_partition(out: &mut Vec<u8>, partition: &DescribedPartition, version: i16) {
    let offset = &partition.offset;
    out.extend(partition.index.to_be_bytes());
    out.extend(offset.start_offset.to_be_bytes());
    out.extend(offset.leader_epoch.to_be_bytes());
    if version >= LAG_SINCE {
        out.extend(offset.lag.to_be_bytes());
    }
    out.extend(offset.error_code.to_be_bytes());
    put_text(out, partition.error_message.as_deref());
    put_no_tags(out);
}

/// What is left to be read.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn take(&mut self, count: usize) -> Result<&[u8], WireError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(WireError::TooShort)?;
        self.0 = rest;
        Ok(taken)
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        Ok(self.take(N)?.try_into().expect("as many bytes as asked for"))
    }

    fn int16(&mut self) -> Result<i16, WireError> {
        self.fixed().map(i16::from_be_bytes)
    }

    fn int32(&mut self) -> Result<i32, WireError> {
        self.fixed().map(i32::from_be_bytes)
    }

    fn int64(&mut self) -> Result<i64, WireError> {
        self.fixed().map(i64::from_be_bytes)
    }

    fn varint(&mut self) -> Result<usize, WireError> {
        let mut value = 0u64;
        for shift in (0..35).step_by(7) {
            let [byte] = self.fixed()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value as usize);
            }
        }
        Err(WireError::Malformed)
    }

    fn text(&mut self) -> Result<Option<String>, WireError> {
        let Some(length) = self.varint()?.checked_sub(1) else { return Ok(None) };
        let text = std::str::from_utf8(self.take(length)?).map_err(|_| WireError::Malformed)?;
        Ok(Some(text.to_owned()))
    }

    fn array<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, WireError>,
    ) -> Result<Vec<T>, WireError> {
        let count = self.varint()?.checked_sub(1).ok_or(WireError::Malformed)?;
        (0..count).map(|_| item(self)).collect()
    }

    fn tags(&mut self) -> Result<(), WireError> {
        for _ in 0..self.varint()? {
            self.varint()?;
            let length = self.varint()?;
            self.take(length)?;
        }
        Ok(())
    }

    fn group(&mut self, version: i16) -> Result<DescribedGroup, WireError> {
        let id = self.text()?.ok_or(WireError::Malformed)?;
        let topics = self.array(|input| input.topic(version))?;
        let error_code = self.int16()?;
        let error_message = self.text()?;
        self.tags()?;
        Ok(DescribedGroup { id, topics, error_code, error_message })
    }

    fn topic(&mut self, version: i16) -> Result<DescribedTopic, WireError> {
        let name = self.text()?.ok_or(WireError::Malformed)?;
        let id = self.fixed()?;
        let partitions = self.array(|input| input.partition(version))?;
        self.tags()?;
        Ok(DescribedTopic { name, id, partitions })
    }

    fn partition(&mut self, version: i16) -> Result<DescribedPartition, WireError> {
        let index = self.int32()?;
        let start_offset = self.int64()?;
        let leader_epoch = self.int32()?;
        let lag = if version >= LAG_SINCE { self.int64()? } else { UNKNOWN_LAG };
        let error_code = self.int16()?;
        let error_message = self.text()?;
        self.tags()?;
        let offset = ShareOffset { start_offset, leader_epoch, lag, error_code };
        Ok(DescribedPartition { index, offset, error_message })
    }
}
